// Package pathmap knows which path of the source pod is which path of the
// target pod.
//
// A guest that moves takes its domain XML along, and that XML is full of paths
// of the pod it leaves. A [Map] answers for each of them, in one of three ways:
// the path moved and this is where to; it is valid in both pods and stays; or
// nobody said anything about it, which is an error and never a guess.
//
// There are two ways to a Map. [New] takes entries that somebody wrote down.
// [Between] takes two values of [Layout], which is the one place in the project
// that knows where a KubeVirt pod mounts each kind of volume and keeps its
// sockets, logs and state, and pairs them by volume name and identity.
//
// [Map.Rewrite] answers for a value that is one path, by the longest matching
// entry on whole path components: "/srv/a" covers "/srv/a/x" and not "/srv/ab".
// [Map.Find] hunts for known paths inside longer text, such as a command line,
// a URL or JSON; its documentation says exactly what counts as an occurrence.
//
// Paths are text here. Nothing looks at a file system, so symbolic links are
// not followed: "/run/x" and "/var/run/x" are two paths although they are one
// file in most pods, and a path with ".." in it is refused, because what it
// means depends on links.
//
// All values are immutable and safe for concurrent use.
package pathmap
