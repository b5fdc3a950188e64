// Package migrate turns the migratable XML of a running guest into the XML
// that the target pod can start, says why each byte of it changed, and proves
// that the guest cannot tell the two apart.
//
// The data flows one way:
//
//	source XML + Facts ── NewPlan ──▶ Plan{Edits, Kept} ── Apply ──▶ destination XML
//	                                                       └─ Verify: did the guest notice?
//
// A change is a value: rules read an immutable document and report edits, and
// nothing else. Whoever shows the edits shows exactly what Apply will splice,
// and every byte that no edit names comes out as it went in. Verify never
// sees the edits: it reads both documents with another parser and compares
// whatever the guest can see, and it hunts for paths that only the source pod
// has.
//
// The package reads no file, no clock and no environment. It refuses what is
// not a single well-formed domain document, a fact that a rule needs and does
// not have, two facts that disagree about one place, and an output in which
// the guest would see a difference.
//
// Migratable XML holds secrets (graphics passwords). Nothing here logs it, and
// errors and edits mask the values of places that hold secrets.
package migrate
