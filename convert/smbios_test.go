package convert

import "testing"

func TestSMBIOS(t *testing.T) {
	const (
		firmware = "firmware: {uuid: 5d307ca9-b3ef-428c-8861-06e72d69f223, serial: S1}"
		uuid     = "@type=smbios system/entry/@name=uuid system/entry=5d307ca9-b3ef-428c-8861-06e72d69f223 "
		serial   = "system/entry[2]/@name=serial system/entry[2]=S1 "
	)
	runComputeRows(t, "sysinfo", []computeRow{
		{firmware, "", uuid + serial, "UUID and serial number"},
		{"firmware: {uuid: 5d307ca9b3ef428c886106e72d69f223}", "", "@type=smbios system/entry/@name=uuid system/entry=5d307ca9b3ef428c886106e72d69f223", "a UUID may come without dashes"},
		{firmware, "node: {architecture: s390x}", uuid + serial, "also on s390x"},
		{firmware, "smbios: {manufacturer: Acme, product: None, family: F}", uuid + serial + `
			system/entry[3]/@name=manufacturer system/entry[3]=Acme system/entry[4]/@name=family system/entry[4]=F
			system/entry[5]/@name=product system/entry[5]=None system/entry[6]/@name=sku
			system/entry[7]/@name=version`, "the cluster's names, empty ones too, in a fixed order"},
		{firmware + "\n    chassis: {serial: C1}", "", uuid + serial + `
			chassis/entry/@name=manufacturer chassis/entry[2]/@name=version
			chassis/entry[3]/@name=serial chassis/entry[3]=C1 chassis/entry[4]/@name=asset
			chassis/entry[5]/@name=sku`, "all five names of the case, given or not"},
	})
}
