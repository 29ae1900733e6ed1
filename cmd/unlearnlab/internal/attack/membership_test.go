package attack

import (
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/membership"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// attackedFiles holds losses of members and non-members with their names and speakers, and the paths of files with
// these losses and with losses of shadow models.
type attackedFiles struct {
	sample                       membership.Sample
	members, nonMembers, shadows string
}

func filesToAttack(t *testing.T) (f attackedFiles) {
	t.Helper()
	r, folder := rand.New(rand.NewPCG(6, 0)), t.TempDir()
	loss := func(mean float64) float64 { return math.Log1p(math.Exp(-(mean + .7*r.NormFloat64()))) }
	shadows := "example,shadow,member,loss\n"
	list := func(name, prefix string, count int, above float64) (path string, losses []float64, groups []string) {
		text := "clip,speaker,loss\n"
		for i := range count {
			mean := 2 * r.NormFloat64()
			losses, groups = append(losses, loss(mean+above)), append(groups, fmt.Sprint(prefix, "-", i/5))
			text += fmt.Sprintf("%s%d,%s,%v\n", prefix, i, groups[i], losses[i])
			for k := range 8 {
				shadows += fmt.Sprintf("%s%d,%d,%d,%v\n", prefix, i, k, k%2, loss(mean+float64(k%2)))
			}
		}
		path = filepath.Join(folder, name)
		clitest.Put(t, folder, name, text)
		return path, losses, groups
	}
	f.members, f.sample.Members, f.sample.MemberGroups = list("forget.csv", "f", 60, 1)
	f.nonMembers, f.sample.NonMembers, f.sample.NonMemberGroups = list("test.csv", "t", 90, 0)
	clitest.Put(t, folder, "shadows.csv", shadows)
	f.shadows = filepath.Join(folder, "shadows.csv")
	return f
}

func TestMembership_EqualsLibrary(t *testing.T) {
	f := filesToAttack(t)
	code, stdout, stderr := cmd.Run("attack", "mia", "--members", f.members, "--non-members", f.nonMembers, "--column",
		"loss", "--group", "speaker", "--seed", "3", "--json")
	want, err := membership.Infer(f.sample, nil, 3)
	if err != nil || code != cli.ExitDone {
		t.Fatalf("exit %d: %s, %v", code, stderr, err)
	}
	var got struct {
		OK bool
		membership.Result
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	if !got.OK || got.Logistic.Value != want.Logistic.Value || got.Curves[0].Area != want.Curves[0].Area ||
		got.Groups != 30 || got.Curves[0].Area.Method != membership.Obuchowski {
		t.Errorf("got %s, want OK true, Logistic.Value %v, Curves[0].Area %v, Groups 30, Curves[0].Area.Method %v",
			stdout, want.Logistic.Value, want.Curves[0].Area, membership.Obuchowski)
	}
	if !strings.Contains(stderr, "warning: 90 non-members resolve no share of false alarms below 1.1 %") {
		t.Error(stderr)
	}
	// The losses are in the only column that no flag names.
	code, again, _ := cmd.Run("attack", "mia", "--members", f.members, "--non-members", f.nonMembers, "--example",
		"clip", "--group", "speaker", "--seed", "3", "--shadow", f.shadows)
	if code != cli.ExitDone || !strings.Contains(again, "LiRA, online  AUC") || !strings.Contains(again,
		"of 30 groups") {
		t.Errorf("exit %d\n%s", code, again)
	}
}

func TestMembership_Formats(t *testing.T) {
	f := filesToAttack(t)
	folder := t.TempDir()
	write := func(name string, to func(path string) error) string {
		path := filepath.Join(folder, name)
		if err := to(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	npy := func(name string, values []float64) string {
		return write(name, func(path string) error {
			return safefile.WriteNpy(path, &safefile.Array{Shape: []int{len(values)}, Values: values})
		})
	}
	members := npy("a.npy", f.sample.Members)
	others := write("b.parquet", func(path string) error {
		return safefile.WriteParquet(path, []safefile.Column{{Name: "loss", Values: f.sample.NonMembers}})
	})
	code, want, stderr := cmd.Run("attack", "mia", "--members", f.members, "--non-members", f.nonMembers, "--column",
		"loss")
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	for _, format := range []string{"text", "csv", "md", "json", "html", "tex"} {
		code, stdout, stderr := cmd.Run("attack", "mia", "--members", members, "--non-members", others, "--format",
			format)
		if code != cli.ExitDone || !strings.Contains(strings.ToUpper(stdout), "AUC") || format == "text" && stdout != want {
			t.Errorf("%s: exit %d: %s%s", format, code, stdout, stderr)
		}
	}
	for i := range f.sample.Members {
		f.sample.Members[i] = -f.sample.Members[i]
	}
	for i := range f.sample.NonMembers {
		f.sample.NonMembers[i] = -f.sample.NonMembers[i]
	}
	code, stdout, stderr := cmd.Run("attack", "mia", "--members", npy("c.npy", f.sample.Members), "--non-members",
		npy("d.npy", f.sample.NonMembers), "--scores")
	if code != cli.ExitDone || stdout != want {
		t.Errorf("exit %d: scores give\n%s%s, losses\n%s", code, stdout, stderr, want)
	}
}

func TestMembership_Picture(t *testing.T) {
	f := filesToAttack(t)
	picture := filepath.Join(t.TempDir(), "new", "roc.png")
	code, stdout, stderr := cmd.Run("attack", "mia", "--members", f.members, "--non-members", f.nonMembers, "--column",
		"loss", "--out", picture)
	if code != cli.ExitDone || !strings.HasSuffix(stdout, picture+"\n") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	file, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := png.Decode(file); err != nil {
		t.Error(err)
	}
	for _, flag := range []string{"--json", "--format=json"} {
		_, stdout, _ := cmd.Run("attack", "mia", "--members", f.members, "--non-members", f.nonMembers, "--column",
			"loss", "--out", strings.Replace(picture, "png", "svg", 1), flag)
		if !json.Valid([]byte(stdout)) {
			t.Errorf("%s: got %s, want valid JSON", flag, stdout)
		}
	}
}

func TestMembership_Mistakes(t *testing.T) {
	f := filesToAttack(t)
	folder := filepath.Dir(f.members)
	for name, text := range map[string]string{"empty.csv": "", "header.csv": "loss\n", "one.csv": "loss\n1\n",
		"words.csv": "loss\nabc\n", "gap.csv": "loss\n1\n\"\"\n2\n", "inf.csv": "loss\n1\n+Inf\n2\n",
		"same.csv": "loss\n1\n1\n1\n", "nobody.csv": "loss,speaker\n1,a\n2,\n", "twins.csv": "loss,clip\n1,f0\n2,x\n",
		"unknown.csv": "example,shadow,member,loss\nf0,1,0,1\nq,1,0,1\n", "text.txt": "1\n",
		"twice.csv":    "example,shadow,member,loss\nf0,1,0,1\nf0,1,1,1\n",
		"half.csv":     "example,shadow,member,loss\nf0,1,0.5,1\n",
		"negative.csv": "example,shadow,member,loss\nf0,1,0,-1\n",
		"some.csv":     "example,shadow,member,loss\nf0,1,0,1\n",
		"columns.csv":  "example,model,member,loss\nf0,1,0,1\n",
	} {
		clitest.Put(t, folder, name, text)
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	mia := func(args ...string) []string {
		return append([]string{"attack", "mia", "--members", f.members, "--non-members", f.nonMembers}, args...)
	}
	members := func(name string) []string {
		return []string{"attack", "mia", "--members", in(name), "--non-members", f.nonMembers, "--column", "loss"}
	}
	shadows := func(name string) []string {
		return mia("--column", "loss", "--example", "clip", "--shadow", in(name))
	}
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "--members and --non-members are needed", []string{"attack", "mia", "--members", f.members}},
		{cli.ExitUsage, "expected only flags, got 1", mia("more")},
		{cli.ExitUsage, "forget.csv has 3 columns that may hold the losses; name one with --column", mia()},
		{cli.ExitUsage, `there is no format "xml"`, mia("--column", "loss", "--format", "xml")},
		{cli.ExitUsage, `--out "roc.gif": a figure file must end in`, mia("--column", "loss", "--out", "roc.gif")},
		{cli.ExitUsage, "--scores cannot be combined with --shadow", mia("--scores", "--shadow", f.shadows)},
		{cli.ExitUsage, "--example needs --shadow", mia("--example", "clip")},
		{cli.ExitFailed, `forget.csv: no column "score"; it has "clip", "speaker", "loss"`, mia("--column", "score")},
		{cli.ExitFailed, `forget.csv: row 1 (line 2), column "clip": "f0" is not a number`, mia("--column", "clip")},
		{cli.ExitFailed, `no column "speakers"`, mia("--column", "loss", "--group", "speakers")},
		{cli.ExitFailed, "none.csv: no such file", members("none.csv")},
		{cli.ExitFailed, "it is a folder", members("")},
		{cli.ExitFailed, "the file is empty", members("empty.csv")},
		{cli.ExitFailed, "a header and no rows", members("header.csv")},
		{cli.ExitFailed, "1 members; give at least 2", members("one.csv")},
		{cli.ExitFailed, `"abc" is not a number`, members("words.csv")},
		{cli.ExitFailed, `gap.csv: row 2, column "loss": the value is missing or not finite`, members("gap.csv")},
		{cli.ExitFailed, `inf.csv: row 2, column "loss": the value is missing or not finite`, members("inf.csv")},
		{cli.ExitFailed, "its ending must be", members("text.txt")},
		{cli.ExitFailed, `nobody.csv: row 2, column "speaker": the value is missing`,
			append(members("nobody.csv"), "--group", "speaker")},
		{cli.ExitFailed, "all 6 numbers are equal", []string{"attack", "mia", "--members", in("same.csv"),
			"--non-members",
			in("same.csv")}},
		{cli.ExitFailed, "are named \"f0\"; give each its own name", []string{"attack", "mia", "--members", f.members,
			"--non-members", in("twins.csv"), "--column", "loss", "--example", "clip", "--shadow", f.shadows}},
		{cli.ExitFailed, "unknown.csv: row 2: there is no example \"q\" among", shadows("unknown.csv")},
		{cli.ExitFailed, "twice.csv: row 2: example \"f0\" of shadow \"1\" occurs twice", shadows("twice.csv")},
		{cli.ExitFailed, "half.csv: row 1: member is 0.5", shadows("half.csv")},
		{cli.ExitFailed, "negative.csv: row 1: the loss is -1", shadows("negative.csv")},
		{cli.ExitFailed, "some.csv: no shadow was trained without example \"f1\"", shadows("some.csv")},
		{cli.ExitFailed, `columns.csv: no column "shadow"`, shadows("columns.csv")},
		{cli.ExitFailed, "not a directory", mia("--column", "loss", "--out", filepath.Join(f.members, "roc.png"))},
	} {
		cmd.Refused(t, test.code, test.says, test.args...)
	}
}

// A cell runs the command, so it prints the same table.
func TestMembership_Cell(t *testing.T) {
	integration.Test(t, "runs a cell as a program")
	f := filesToAttack(t)
	want := succeedWithWarnings(t, "attack", "mia", "--members", f.members, "--non-members", f.nonMembers, "--column",
		"loss", "--seed", "2")
	list := func(values []float64) string { return strings.ReplaceAll(fmt.Sprintf("%#v", values), " ", "") }
	clitest.CompareCell(t, `kx.MIA(`+list(f.sample.Members)+", "+list(f.sample.NonMembers)+`, "--seed", "2")`, want)
}

func succeedWithWarnings(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := cmd.Run(args...)
	if code != cli.ExitDone {
		t.Fatalf("%v: exit %d\n%s", args, code, stderr)
	}
	return stdout
}
