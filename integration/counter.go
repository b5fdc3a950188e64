//go:build integration

package integration

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// What the guest of CounterScript prints.
var (
	tickLine = regexp.MustCompile(`(?m)^tick (\d+)$`)
	sumsLine = regexp.MustCompile(`disk=([0-9a-f]{32}) memory=([0-9a-f]{32})`)
)

// WaitForTick waits until the guest's counter shows n or more on this console.
func WaitForTick(ctx context.Context, c Console, n int) error {
	for {
		text, err := c.Text()
		if err != nil {
			return err
		}
		if ticks := tickLine.FindAllStringSubmatch(text, -1); len(ticks) > 0 {
			if last, _ := strconv.Atoi(ticks[len(ticks)-1][1]); last >= n {
				return nil
			}
		}
		if err := sleep(ctx); err != nil {
			return fmt.Errorf("integration: the guest did not count to %d: %w; its last words:\n%s", n, err, lastLines(text, 20))
		}
	}
}

// Counted reads the counter in what one guest printed in one pod after another: it must begin with 1 and go up by one
// each time. It returns the last count.
func Counted(texts ...string) (int, error) {
	last := 0
	for _, tick := range tickLine.FindAllStringSubmatch(strings.Join(texts, ""), -1) {
		n, err := strconv.Atoi(tick[1])
		if err != nil || n != last+1 {
			return last, fmt.Errorf("integration: the guest's counter went from %d to %s", last, tick[1])
		}
		last = n
	}
	return last, nil
}

// Sums are checksums that the guest took.
type Sums struct{ Disk, Memory string }

// FirstSums are the checksums that the guest printed first.
func FirstSums(text string) (Sums, error) {
	m := sumsLine.FindStringSubmatch(text)
	if m == nil {
		return Sums{}, fmt.Errorf("integration: no checksums in what the guest printed:\n%s", lastLines(text, 20))
	}
	return Sums{Disk: m[1], Memory: m[2]}, nil
}

// FinalSums stops the guest's writing and takes the checksums that from now on stay true.
func FinalSums(ctx context.Context, c Console) (Sums, error) {
	answer, err := c.Run(ctx, "touch /quiet; sleep 1; sums")
	if err != nil {
		return Sums{}, err
	}
	return FirstSums(answer)
}

// MD5 is the checksum of a file as the guest's md5sum prints it.
func MD5(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := md5.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
