package migrate

import (
	"encoding/json"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Plans share the memory they work in: one after the other and several at once they
// must come out as each does alone.
func TestPlansBesideEachOther(t *testing.T) {
	files := caseFiles(t)
	var workers sync.WaitGroup
	for worker := range 4 {
		workers.Go(func() {
			for round := range 3 {
				for i := range files {
					archive := readCase(t, files[(i*(worker+1)+round)%len(files)])
					assert.Equal(t, expected(archive), runCase(archive))
				}
			}
		})
	}
	workers.Wait()
}

// A plan that somebody holds does not change when the next is made.
func TestPlanIsKeptFromTheNext(t *testing.T) {
	source, facts := kubevirt(t)
	plan, dest := planned(t, source, facts)
	before, err := json.Marshal(plan)
	require.NoError(t, err)
	for _, file := range caseFiles(t) {
		runCase(readCase(t, file))
	}
	after, err := json.Marshal(plan)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	again, err := plan.Apply()
	require.NoError(t, err)
	require.Equal(t, string(dest), string(again))
}
