#!/usr/bin/env python3
"""Makes a preset with a Slurm array of eight tasks and a bucket, on this machine alone, while things are killed.

Usage: scripts/try_slurm.py FOLDER [PAPER...] [--preset smoke] [--kill SECONDS] [--alone], as root, after

  apt-get install slurmctld slurmd slurm-client munge
  go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
  go build -tags noresults -o FOLDER/unlearnlab ./cmd/unlearnlab    (with results, nothing would be missing)

Every SECONDS after the first result it kills with SIGKILL, in turn: a task in the middle of a run, Slurm's controller,
and the S3 server. A killed task is queued again, the others are started again after ten and sixteen seconds. In the
end it prints how often each run was begun, by the log of the S3 server. With --alone one process then makes the same
runs without a bucket, and the digests of all files are compared; FOLDER keeps both, so that a second call goes on.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

PAPERS = ["salmu", "remem", "unslu", "concealment"]
TASKS = 8
PORT = 7070
SLURM = """
ClusterName=laboratory
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
MinJobAge=86400
MpiDefault=none
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 RealMemory=64000
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Cluster:
    """Slurm and an S3 server on this machine."""

    def __init__(self, folder):
        self.folder, self.server = folder, None
        slurm = folder / "slurm"
        for name in ["slurm/state", "slurm/spool", "bucket/lab"]:
            (folder / name).mkdir(parents=True, exist_ok=True)
        host = os.uname().nodename.split(".")[0]
        (slurm / "slurm.conf").write_text(SLURM.format(host=host, folder=slurm))
        os.environ |= {"SLURM_CONF": str(slurm / "slurm.conf"), "AWS_ACCESS_KEY_ID": "lab",
                       "AWS_SECRET_ACCESS_KEY": "laboratory", "AWS_REGION": "us-east-1",
                       "PATH": f"{folder}:{os.environ['PATH']}"}
        if subprocess.run(["pgrep", "-x", "munged"], capture_output=True).returncode != 0:
            pathlib.Path("/run/munge").mkdir(exist_ok=True)
            shutil.chown("/run/munge", "munge")
            called("runuser", "-u", "munge", "--", "munged")
        self.start_controller()
        called("slurmd")
        self.start_server()

    def start_controller(self):
        called("slurmctld")

    def start_server(self):
        log = open(self.folder / "versitygw.log", "a")
        self.server = subprocess.Popen(
            ["versitygw", "--access", "lab", "--secret", "laboratory", "--port", f"127.0.0.1:{PORT}",
             "--access-log", str(self.folder / "requests.log"), "posix", str(self.folder / "bucket")],
            stdout=log, stderr=log)

    def stop(self):
        for program in ["slurmctld", "slurmd"]:
            subprocess.run(["pkill", "-x", program])
        self.server.terminate()

    def kill_task(self):
        """Kills the task that has used the most processor time."""
        tasks = []
        for line in called("ps", "-eo", "pid,times,args").splitlines():
            fields = line.split(None, 2)
            if len(fields) == 3 and re.match(r"(\S*/)?unlearnlab run .*--shard", fields[2]):
                tasks.append((int(fields[1]), int(fields[0]), fields[2]))
        if tasks:
            _, process, command = max(tasks)
            os.kill(process, signal.SIGKILL)
            print(f"killed the task {command}", flush=True)

    def kill_controller(self):
        subprocess.run(["pkill", "-KILL", "-x", "slurmctld"])
        time.sleep(10)
        self.start_controller()
        print("killed Slurm's controller, started it after 10 s", flush=True)

    def kill_server(self):
        self.server.kill()
        self.server.wait()
        time.sleep(16)
        self.start_server()
        print("killed the S3 server, started it after 16 s", flush=True)

    def resume(self):
        """Takes the node back if Slurm has drained it: a controller that was killed does not know the tasks of its
        last seconds, and starts them a second time ("Duplicate jobid")."""
        states = subprocess.run(["sinfo", "--noheader", "--format=%n %t %E"], capture_output=True, text=True).stdout
        for line in states.splitlines():
            node, state, reason = line.split(None, 2)
            if state.startswith(("drain", "drng", "down")):
                print(f"the node is {state} ({reason}), resumed", flush=True)
                subprocess.run(["scontrol", "update", f"NodeName={node}", "State=RESUME"], capture_output=True)

    def tasks(self):
        """Returns the states of all tasks by their IDs."""
        listed = subprocess.run(["squeue", "--all", "--array", "--noheader", "--states=all", "--format=%F_%K %T"],
                                capture_output=True, text=True)
        return dict(line.split() for line in listed.stdout.splitlines())


def called(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
        sys.exit(f"{' '.join(command)} failed with exit code {done.returncode}: {lines[-1]}")
    return done.stdout


def submit(cluster, paper, preset):
    """Submits the script that the command prints. Each task has a folder of its own."""
    script = called("unlearnlab", "run", paper, "--preset", preset, "--print", "slurm", "--shards", str(TASKS))
    own = f'export UNLEARNLAB_HOME={cluster.folder}/tasks/{paper}-$SLURM_ARRAY_TASK_ID\n'
    lines = [line for line in script.splitlines(True) if not line.startswith("export UNLEARNLAB_HOME")]
    at = next(i for i, line in enumerate(lines) if not line.startswith("#"))
    file = cluster.folder / f"{paper}.sh"
    file.write_text("".join(lines[:at] + [own] + lines[at:]))
    print(called("sbatch", "--chdir", str(cluster.folder), str(file)).strip(), flush=True)


def wait(cluster, pause):
    """Waits for all tasks, kills something after every pause, and queues tasks again that were killed."""
    kills = [cluster.kill_task, cluster.kill_controller, cluster.kill_server]
    last, began = None, time.time()
    while True:
        time.sleep(1)
        if last is None and any((cluster.folder / "bucket/lab").glob("runs/*.json")):
            last = time.time()
        if kills and last is not None and time.time() - last > pause:
            kills.pop(0)()
            last = time.time()
        cluster.resume()
        states = cluster.tasks()
        for task, state in states.items():
            if state in ("FAILED", "NODE_FAIL"):
                print(f"task {task} {state}, queued again", flush=True)
                subprocess.run(["scontrol", "requeue", task], capture_output=True)
        if states and set(states.values()) == {"COMPLETED"}:
            print(f"{len(states)} tasks completed in {(time.time() - began) / 60:.1f} min", flush=True)
            return


def begun(log):
    """Counts by key how often tasks began a run. They claim it first; a claim that is taken over has another number."""
    claims = re.findall(r"s3_PutObject claims/(\w+)\.(\d+) \S+ 200", log.read_text())
    return collections.Counter(key for key, _ in set(claims))


def alone(folder, papers, preset):
    """Makes the same runs in one process and counts the files that differ."""
    environment = {k: v for k, v in os.environ.items() if k != "UNLEARNLAB_STORE"} | {
        "UNLEARNLAB_HOME": str(folder / "alone")}
    for paper in papers:
        done = subprocess.run(["unlearnlab", "run", paper, "--preset", preset], env=environment,
                              capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"one process: {done.stderr.strip().splitlines()[-1]}")
    same, different = 0, collections.Counter()
    for manifest in sorted((folder / "alone/artifacts").glob("*/*/manifest.json")):
        own = json.loads(manifest.read_text())
        shared = json.loads((folder / f"bucket/lab/runs/{own['key']}.json").read_text())
        for name, file in own["files"].items():
            if file == shared["files"].get(name):
                same += 1
            else:
                different[f"{name} of {own['stage']}"] += 1
    print(f"{same} files have the same digests, {different.total()} differ")
    for name, count in different.items():
        print(f"  {count} times {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("papers", nargs="*", default=PAPERS)
    parser.add_argument("--preset", default="smoke")
    parser.add_argument("--kill", type=float, default=30, metavar="SECONDS")
    parser.add_argument("--alone", action="store_true")
    asked = parser.parse_args()
    folder = asked.folder.absolute()
    if not (folder / "unlearnlab").exists():
        sys.exit(f"{folder}/unlearnlab is missing: go build -tags noresults -o {folder}/unlearnlab ./cmd/unlearnlab")
    for program in ["slurmctld", "slurmd", "sbatch", "munged", "versitygw"]:
        if shutil.which(program, path=f"{folder}:{os.environ['PATH']}:/usr/sbin") is None:
            sys.exit(f"{program} is missing: the first lines of this script say how to install it")
    cluster = Cluster(folder)
    try:
        os.environ["UNLEARNLAB_STORE"] = f"s3://lab?endpoint=http://127.0.0.1:{PORT}"
        for paper in asked.papers:
            submit(cluster, paper, asked.preset)
        wait(cluster, asked.kill)
    finally:
        cluster.stop()
    counts = begun(folder / "requests.log")
    made = len(list((folder / "bucket/lab").glob("runs/*.json")))
    again = {key: n for key, n in counts.items() if n > 1}
    print(f"{made} runs in the bucket, {sum(counts.values())} begun; begun more than once: {again or 'none'}")
    if asked.alone:
        alone(folder, asked.papers, asked.preset)


if __name__ == "__main__":
    main()
