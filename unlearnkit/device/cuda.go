package device

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// cudaLibraries lists the libraries that a CUDA plugin loads, by the beginning of the file's name, and the project of
// the Python package index that provides each for CUDA 13.
var cudaLibraries = []struct{ name, project string }{
	{"libcudart.so", "nvidia-cuda-runtime"},
	{"libcublas.so", "nvidia-cublas"},
	{"libcudnn.so", "nvidia-cudnn-cu13"},
	{"libcufft.so", "nvidia-cufft"},
	{"libcusolver.so", "nvidia-cusolver"},
	{"libcusparse.so", "nvidia-cusparse"},
	{"libcupti.so", "nvidia-cuda-cupti"},
	{"libnccl.so", "nvidia-nccl-cu13"},
	{"libnvrtc.so", "nvidia-cuda-nvrtc"},
	{"libnvJitLink.so", "nvidia-nvjitlink"},
}

// cudaNotes lists what a CUDA plugin still needs: the driver, NVIDIA's libraries, the assembler. Libraries are found in
// the folder nvidia next to the plugin's own folder, on the plugin's run path, or where the system's loader looks.
func cudaNotes(plugin string) []string {
	root := filepath.Dir(filepath.Dir(plugin))
	var notes []string
	if !hasNVIDIA() {
		notes = append(notes, noNVIDIA+": the plugin is not used here")
	}
	if !hasLibrary(root, "libcuda.so") {
		notes = append(notes, "NVIDIA's driver is missing (libcuda.so)")
	}
	var missing, projects []string
	for _, library := range cudaLibraries {
		if !hasLibrary(root, library.name) {
			missing, projects = append(missing, library.name), append(projects, library.project)
		}
	}
	if assemblers, _ := filepath.Glob(filepath.Join(root, "nvidia", "*", "bin", "ptxas")); len(assemblers) == 0 {
		missing, projects = append(missing, "ptxas"), append(projects, "nvidia-cuda-nvcc", "nvidia-nvvm")
	}
	if len(missing) > 0 {
		notes = append(notes, fmt.Sprintf("missing next to it: %s; for CUDA 13: pip install --no-deps --target %s %s",
			strings.Join(missing, ", "), root, strings.Join(projects, " ")))
	}
	return notes
}

// hasLibrary reports whether a library is below nvidia in root or where the system's loader commonly looks.
func hasLibrary(root, name string) bool {
	folders := []string{
		filepath.Join(root, "nvidia", "*", "lib"), filepath.Join(filepath.Dir(root), "nvidia", "*", "lib"),
		"/usr/local/cuda*/lib64", "/usr/local/cuda*/extras/CUPTI/lib64",
		"/usr/lib/x86_64-linux-gnu", "/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/lib/wsl/lib",
	}
	folders = append(folders, filepath.SplitList(os.Getenv("LD_LIBRARY_PATH"))...)
	return slices.ContainsFunc(folders, func(folder string) bool {
		found, _ := filepath.Glob(filepath.Join(folder, name+"*"))
		return len(found) > 0
	})
}
