package convert

import (
	"errors"
	"testing"
)

func TestRootSlots(t *testing.T) {
	slots := rootSlots{taken: map[uint]bool{0x03: true, 0x1c: true}}
	var got []uint
	for {
		slot, err := slots.next()
		if errors.Is(err, errRootBusFull) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, slot)
	}
	want := []uint{0x02}
	for slot := uint(0x04); slot <= 0x1e; slot++ {
		if slot != 0x1b && slot != 0x1c {
			want = append(want, slot)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("got %#x, want %#x", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("got %#x, want %#x", got, want)
		}
	}
}
