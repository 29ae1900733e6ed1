package launcher

import (
	"bufio"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// adoptOrphans makes this process the parent of its orphaned descendants, so that they can be found.
func adoptOrphans() {
	const setChildSubreaper = 36
	syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0)
}

// killDescendants kills all children except spared, then the children that this orphans, and so on.
func killDescendants(spared ...int) {
	for {
		children := slices.DeleteFunc(childrenOf(os.Getpid()), func(child int) bool {
			return slices.Contains(spared, child)
		})
		if len(children) == 0 {
			return
		}
		for _, child := range children {
			syscall.Kill(child, syscall.SIGKILL)
			syscall.Wait4(child, nil, 0, nil)
		}
	}
}

func childrenOf(parent int) []int {
	var found []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// pid (name) state ppid …; the name may contain spaces and parentheses
		head, tail, _ := strings.Cut(string(text), " ")
		fields := strings.Fields(tail[strings.LastIndexByte(tail, ')')+1:])
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			if pid, err := strconv.Atoi(head); err == nil {
				found = append(found, pid)
			}
		}
	}
	return found
}

// connectionOwner returns the user ID at the other end of a loopback connection.
func connectionOwner(conn net.Conn) (uid int, known bool) {
	theirs, err := netip.ParseAddrPort(conn.RemoteAddr().String())
	if err != nil || !theirs.Addr().Unmap().IsLoopback() {
		return 0, false
	}
	ours, err := netip.ParseAddrPort(conn.LocalAddr().String())
	if err != nil {
		return 0, false
	}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		f, err := os.Open(table)
		if err != nil {
			continue
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			// sl local remote st queues timer retransmits uid
			fields := strings.Fields(lines.Text())
			if len(fields) > 7 && portOf(fields[1]) == theirs.Port() && portOf(fields[2]) == ours.Port() {
				if uid, err := strconv.Atoi(fields[7]); err == nil {
					return uid, true
				}
			}
		}
	}
	return 0, false
}

// portOf returns the port in an entry such as 0100007F:1F90.
func portOf(entry string) uint16 {
	var port uint16
	fmt.Sscanf(entry[strings.LastIndexByte(entry, ':')+1:], "%X", &port)
	return port
}
