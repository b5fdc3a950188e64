// Package xmledit reads an XML document without changing it and describes
// changes to it as plain values.
//
// A [Document] is immutable and knows the byte span of every element, tag,
// attribute and text in its source. A [Change] says which bytes are there now
// and which come instead; [Document.Apply] splices changes in. Every byte that
// no change names comes out as it went in: order, quotes, entities, comments,
// line ends, elements that nobody knows.
//
// Who reads many documents and holds none of them uses a [Reader], whose documents
// share their memory one after the other.
//
// # What is read
//
// [Parse] reads the part of XML 1.0 (fifth edition, with namespaces) that
// domain XML is written in: UTF-8, no DTD and therefore no entities but the
// five predefined ones. Everything else is refused with line and column.
// Whatever is accepted, libxml2 accepts too and reads the same; what libxml2
// takes but looks odd (a version 1.1, two colons in a name) is refused here.
//
// # What is not done
//
// Nothing is validated against a schema, nothing is fetched, nothing is
// mutated. White space is touched only next to an element that comes or goes.
//
// # Data flow
//
//	[]byte ──Parse──▶ Document ──Attr.Set, Element.SetText, …──▶ []Change ──Apply──▶ string
//
// The zero [Element] and [Attr] stand for "there is none". Their methods return
// zero values, so a chain such as
//
//	disk.Child("source").Attr("file").Value()
//
// needs no checks in between. Only the constructors of changes that can fail
// report an error for them, so that no change is lost in silence.
package xmledit
