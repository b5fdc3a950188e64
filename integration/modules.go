//go:build integration

package integration

import (
	"bytes"
	"debug/elf"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// resolve gives the files of the named modules, each after the ones it depends on. A module that is built into the
// kernel needs no file.
func (k Kernel) resolve(names []string) ([]string, error) {
	files, err := k.moduleFiles()
	if err != nil {
		return nil, err
	}
	builtin, err := os.ReadFile(filepath.Join(k.Modules, "modules.builtin"))
	if err != nil {
		return nil, err
	}
	var order []string
	var visit func(name string) error
	visit = func(name string) error {
		name = moduleName(name)
		file, ok := files[name]
		if !ok {
			for line := range strings.Lines(string(builtin)) {
				if moduleName(strings.TrimSpace(line)) == name {
					return nil
				}
			}
			return fmt.Errorf("integration: the guest's kernel has no module %s", name)
		}
		if slices.Contains(order, file) {
			return nil
		}
		depends, err := moduleDepends(file)
		if err != nil {
			return err
		}
		for _, d := range depends {
			if err := visit(d); err != nil {
				return err
			}
		}
		order = append(order, file)
		return nil
	}
	for _, name := range names {
		if err := visit(name); err != nil {
			return nil, err
		}
	}
	return order, nil
}

// moduleFiles maps module names to files.
func (k Kernel) moduleFiles() (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(k.Modules, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".ko" {
			files[moduleName(path)] = path
		}
		return err
	})
	return files, err
}

// moduleName is a module's name as the kernel prints it; file names may have dashes in it.
func moduleName(path string) string {
	return strings.ReplaceAll(strings.TrimSuffix(filepath.Base(path), ".ko"), "-", "_")
}

// moduleDepends reads the names that a module depends on from the module itself: an unpacked kernel package has no
// modules.dep.
func moduleDepends(file string) ([]string, error) {
	f, err := elf.Open(file)
	if err != nil {
		return nil, fmt.Errorf("integration: module %s: %w", file, err)
	}
	defer f.Close()
	section := f.Section(".modinfo")
	if section == nil {
		return nil, fmt.Errorf("integration: module %s has no .modinfo", file)
	}
	info, err := section.Data()
	if err != nil {
		return nil, fmt.Errorf("integration: module %s: %w", file, err)
	}
	for field := range bytes.SplitSeq(info, []byte{0}) {
		if list, ok := bytes.CutPrefix(field, []byte("depends=")); ok && len(list) > 0 {
			return strings.Split(string(list), ","), nil
		}
	}
	return nil, nil
}
