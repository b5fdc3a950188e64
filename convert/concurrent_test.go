package convert

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestConcurrent converts and explains the same VMIs from many goroutines: under
// the race detector nobody writes to what they share, and everybody gets the same
// bytes and causes.
func TestConcurrent(t *testing.T) {
	for _, c := range cases(t)[:40] {
		vmi, ctx := c.vmi(t), c.context(t)
		want, err := Explain(vmi, ctx)
		if err != nil {
			continue
		}
		text, err := want.XML()
		require.NoError(t, err)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				r, err := VMI(vmi, ctx)
				if !assert.NoError(t, err) {
					return
				}
				got, err := r.XML()
				assert.NoError(t, err)
				assert.Equal(t, text, got)
			})
			wg.Go(func() {
				got, err := Explain(vmi, ctx)
				if assert.NoError(t, err) {
					assert.Equal(t, want.Causes, got.Causes)
				}
				_ = Admission(vmi, ctx)
				_, err = Obstacles(vmi, ctx)
				assert.NoError(t, err)
			})
		}
		wg.Wait()
	}
}
