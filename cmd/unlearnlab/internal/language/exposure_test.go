package language

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
)

const seenImage = "../../../../unlearnkit/attack/exposure/testdata/image.png"

// ranked holds the paths of the files that the command reads.
type ranked struct{ dir, model, jobs, people string }

func filesToRank(t *testing.T) (f ranked) {
	t.Helper()
	f.dir, f.model = t.TempDir(), languagetest.Folder(t, "llava")
	clitest.Put(t, f.dir, "jobs.txt", "baker\njudge\n\nnurse\ncook\n")
	clitest.Put(t, f.dir, "image.png", clitest.Read(t, seenImage))
	clitest.Put(t, f.dir, "people.csv", "prefix,truth,image,group\n"+
		"The job of the person in the image is,baker,image.png,ann\n"+
		"The job of ann is,baker,,ann\nThe job of bob is,nurse,,bob\nThe job of cleo is,cook,,cleo\n")
	f.jobs, f.people = filepath.Join(f.dir, "jobs.txt"), filepath.Join(f.dir, "people.csv")
	return f
}

func TestExposure_Golden(t *testing.T) {
	f := filesToRank(t)
	one := []string{"exposure", "--model", f.model, "--image", seenImage, "--prefix",
		"The job of the person in the image is", "--candidates", f.jobs, "--truth", "baker"}
	several := []string{"exposure", "--model", f.model, "--items", f.people, "--candidates", f.jobs}
	adapted := append(one, "--adapter", languagetest.Adapter(t))
	for name, args := range map[string][]string{"one": one, "several": several, "adapted": adapted} {
		clitest.Golden(t, "exposure", name+".txt", cmd.Succeed(t, args...), clitest.SameBytes)
		clitest.Golden(t, "exposure", name+".json", cmd.Succeed(t, append(args, "--json")...),
			clitest.SameNumbers(1e-4))
	}
}

// The candidates can come from a column of a table.
func TestExposure_Column(t *testing.T) {
	f := filesToRank(t)
	clitest.Put(t, f.dir, "jobs.csv", "name,job\nann,baker\nbob,judge\ncleo,nurse\ndan,cook\neve,cook\n")
	args := []string{"exposure", "--model", f.model, "--prefix", "The job of ann is", "--truth", "cook", "--candidates"}
	want := cmd.Succeed(t, append(args, f.jobs)...)
	code, got, stderr := cmd.Run(append(args, filepath.Join(f.dir, "jobs.csv"), "--column", "job")...)
	if code != cli.ExitDone || got != want || stderr != "warning: candidates that are named more than once, and "+
		"ranked once: 1\n" {
		t.Errorf("exit %d\n%s%s, want\n%s", code, got, stderr, want)
	}
	for _, format := range []string{"csv", "md", "json", "html", "tex"} {
		if shown := cmd.Succeed(t, append(args, f.jobs, "--format", format)...); !strings.Contains(shown, "baker") {
			t.Errorf(`%s: got %s, want "baker" in it`, format, shown)
		}
	}
}

func TestExposure_Top(t *testing.T) {
	f := filesToRank(t)
	shown := cmd.Succeed(t, "exposure", "--model", f.model, "--image", seenImage, "--prefix",
		"The job of the person in the image is", "--candidates", f.jobs, "--truth", "judge", "--top", "1")
	for _, want := range []string{"cook", "judge (true)", "2 of 4 candidates are shown"} {
		if !strings.Contains(shown, want) {
			t.Errorf("got\n%s, want %q", shown, want)
		}
	}
	if strings.Contains(shown, "nurse") {
		t.Errorf("got\n%s, want neither baker nor nurse", shown)
	}
}

func TestExposure_Picture(t *testing.T) {
	f := filesToRank(t)
	for name, args := range map[string][]string{
		"one":     {"exposure", "--prefix", "The job of ann is", "--truth", "cook"},
		"unknown": {"exposure", "--prefix", "The job of ann is"},
		"several": {"exposure", "--items", f.people},
	} {
		picture := filepath.Join(f.dir, "new", name+".png")
		shown := cmd.Succeed(t, append(args, "--model", f.model, "--candidates", f.jobs, "--figure", picture)...)
		if !strings.HasSuffix(shown, picture+"\n") {
			t.Errorf("got %v, want %q at its end", shown, picture+"\n")
		}
		file, err := os.Open(picture)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		file.Close()
	}
}

func TestExposure_Mistakes(t *testing.T) {
	f := filesToRank(t)
	in := func(name string) string { return filepath.Join(f.dir, name) }
	for name, text := range map[string]string{"empty.txt": "\n\n", "two.csv": "a,b\n1,2\n", "gap.csv": "a,b\n1,\n2,x\n",
		"no.csv": "prefix\nx\n", "untold.csv": "prefix,truth\nx,baker\ny,\n", "wrong.csv": "prefix,truth\nx,pilot\n",
		"blind.csv": "prefix,truth,image\nx,baker,none.png\n"} {
		clitest.Put(t, f.dir, name, text)
	}
	with := func(args ...string) []string {
		return append([]string{"exposure", "--model", f.model, "--prefix", "The job is"}, args...)
	}
	items := func(name string) []string {
		return []string{"exposure", "--model", f.model, "--candidates", f.jobs, "--items", in(name)}
	}
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "--model is required", []string{"exposure"}},
		{cli.ExitUsage, "--candidates is required", with()},
		{cli.ExitUsage, "--prefix is required", []string{"exposure", "--model", f.model, "--candidates", f.jobs}},
		{cli.ExitUsage, "remove --prefix, --truth and --image", with("--candidates", f.jobs, "--items", f.people)},
		{cli.ExitUsage, "--top -1", with("--candidates", f.jobs, "--top", "-1")},
		{cli.ExitUsage, "--top is for one secret", append(items("wrong.csv"), "--top", "2")},
		{cli.ExitUsage, `--figure "a.gif"`, with("--candidates", f.jobs, "--figure", "a.gif")},
		{cli.ExitUsage, `there is no format "xml"`, with("--candidates", f.jobs, "--format", "xml")},
		{cli.ExitUsage, "expected only flags", with("more")},
		{cli.ExitUsage, "2 columns that may hold the candidates", with("--candidates", in("two.csv"))},
		{cli.ExitUsage, "has lines", with("--candidates", f.jobs, "--column", "a")},
		{cli.ExitFailed, "gap.csv: row 1: the candidate is missing", with("--candidates", in("gap.csv"), "--column",
			"b")},
		{cli.ExitFailed, `no column "c"`, with("--candidates", in("gap.csv"), "--column", "c")},
		{cli.ExitFailed, "empty.txt: there are no candidates", with("--candidates", in("empty.txt"))},
		{cli.ExitFailed, "none.txt: no such file", with("--candidates", in("none.txt"))},
		{cli.ExitFailed, `the truth "pilot" is not among the 4 candidates`, with("--candidates", f.jobs, "--truth",
			"pilot")},
		{cli.ExitFailed, "none.png: no such file", with("--candidates", f.jobs, "--image", in("none.png"))},
		{cli.ExitFailed, "neither a PNG nor a JPEG", with("--candidates", f.jobs, "--image", f.jobs)},
		{cli.ExitFailed, "there is no such folder", with("--candidates", f.jobs, "--model", in("none"))},
		{cli.ExitFailed, "adapter_config.json", with("--candidates", f.jobs, "--adapter", f.dir)},
		{cli.ExitFailed, "tokens, the model was made for 64", append(with("--candidates", f.jobs), "--prefix",
			strings.Repeat("z", 99))},
		{cli.ExitFailed, `no column "truth"`, items("no.csv")},
		{cli.ExitFailed, "untold.csv: row 2: the truth is empty", items("untold.csv")},
		{cli.ExitFailed, `wrong.csv: row 1: the truth "pilot"`, items("wrong.csv")},
		{cli.ExitFailed, "blind.csv: row 1: read", items("blind.csv")},
		{cli.ExitFailed, "not a directory", with("--candidates", f.jobs, "--figure", filepath.Join(f.jobs, "a.png"))},
	} {
		cmd.Refused(t, test.code, test.says, test.args...)
	}
}

// A cell does not link the networks. It runs the command, so it prints the same table.
func TestExposure_Cell(t *testing.T) {
	integration.Test(t, "runs a cell as a program")
	f := filesToRank(t)
	want := cmd.Succeed(t, "exposure", "--model", f.model, "--prefix", "The job of ann is", "--candidates", f.jobs,
		"--truth", "cook")
	clitest.CompareCell(t, `kx.Exposure("`+f.model+`", "The job of ann is", []string{"baker", "judge", "nurse", "cook"},
		"--truth", "cook")`, want)
}
