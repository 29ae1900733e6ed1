package repotest

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// engineLog replaces docker. It logs its arguments, except those of ps, and starts no containers.
const engineLog = "#!/bin/sh\n[ \"$1\" = ps ] || echo \"$*\" >> \"$ENGINE_LOG\"\n"

// Each table in a classroom has its own folder, port and token.
func TestClassroom(t *testing.T) {
	folder := t.TempDir()
	engine, log, rooms := filepath.Join(folder, "engine"), filepath.Join(folder, "log"), filepath.Join(folder, "room")
	exercises := filepath.Join(folder, "own.json")
	for path, text := range map[string]string{engine: engineLog, exercises: "[]\n"} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	classroom := func(args ...string) (string, error) {
		command := exec.Command("scripts/classroom", args...)
		command.Env = append(os.Environ(), "ENGINE="+engine, "ENGINE_LOG="+log, "HOST=room", "PORT=9001",
			"EXERCISES="+exercises, "MEMORY=3g")
		output, err := command.CombinedOutput()
		return string(output), err
	}
	said, err := classroom("start", "9", rooms)
	if err != nil {
		t.Fatalf("%v %s", err, said)
	}
	addresses := regexp.MustCompile(`(?m)^table (\d\d): http://room:(\d+)/lab\?token=([0-9a-f]{24})$`).
		FindAllStringSubmatch(said, -1)
	if len(addresses) != 9 || addresses[8][1] != "09" || addresses[8][2] != "9009" ||
		addresses[0][3] == addresses[1][3] {
		t.Errorf(`got %q, want 9 addresses, addresses[8][1] "09", addresses[8][2] "9009", addresses[0][3] other `+
			`than %v`,
			said, addresses[1][3])
	}
	ran, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	calls := regexp.MustCompile("(?m)^run .*$").FindAllString(string(ran), -1)
	if len(calls) != 9 || strings.Count(string(ran), "scripts/docker/healthy") != 9 ||
		!strings.Contains(calls[7], "--publish 9008:8888 --env JUPYTER_TOKEN="+addresses[7][3]) ||
		!strings.Contains(calls[7], "--volume "+rooms+"/table-08:/work unlearnlab lab") ||
		!strings.Contains(calls[7], "--memory 3g") {
		t.Errorf(`got %s, want 9 calls, "scripts/docker/healthy" 9 times, %q in calls[7], %q in calls[7], `+
			`"--memory 3g" in calls[7]`,
			ran, "--publish 9008:8888 --env JUPYTER_TOKEN="+addresses[7][3], "--volume "+rooms+"/table-08:/work unlearnlab lab")
	}
	if _, err := os.Stat(filepath.Join(rooms, "table-09", "exercises.json")); err != nil {
		t.Error(err)
	}
	again, err := classroom("list", rooms) // the tokens are unchanged
	if err != nil || again != said {
		t.Errorf("got %v %s, want again %v", err, again, said)
	}
	for _, args := range [][]string{{"start"}, {"start", "many"}, {"start", "0"}, {"party"}, {"measure"},
		{"list", filepath.Join(folder, "nowhere")}} {
		if said, err := classroom(args...); err == nil || said == "" {
			t.Errorf("%v: got %v %s, want an error, said not empty", args, err, said)
		}
	}
}

// The table of lessons in docs/teaching.md has the numbers that scripts/lesson_minutes computes from the notebooks.
func TestTeaching_LessonsTable(t *testing.T) {
	text, err := os.ReadFile("docs/teaching.md")
	if err != nil {
		t.Fatal(err)
	}
	whole := regexp.MustCompile(`(?m): all +(\d+) +(\d+) +(\d+) +(\S+) +(\S+)$`)
	for row, name := range map[string]string{"the tour": "00-tour", "Statistics": "01-statistics",
		"Partial diffusion": "41-partial-diffusion"} {
		said, err := exec.Command("scripts/lesson_minutes", "notebooks/src/"+name+".md").CombinedOutput()
		counted := whole.FindStringSubmatch(string(said))
		if err != nil || counted == nil {
			t.Fatalf("got %v %s, want counted not nil", err, said)
		}
		want := "| " + row
		for i, number := range counted[1:] {
			if i > 2 { // columns of minutes
				minutes, _ := strconv.ParseFloat(number, 64)
				number = strconv.Itoa(int(math.Round(minutes)))
			}
			want += " | " + number
		}
		if !strings.Contains(string(text), want+" |") {
			t.Errorf("docs/teaching.md lacks %q", want)
		}
	}
}
