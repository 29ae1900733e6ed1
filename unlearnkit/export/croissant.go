package export

import (
	"encoding/json"
	"strings"
)

// croissantContext is the @context of the format Croissant 1.1 (https://docs.mlcommons.org/croissant).
const croissantContext = `{
  "@language": "en", "@vocab": "https://schema.org/", "citeAs": "cr:citeAs", "column": "cr:column",
  "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "rai": "http://mlcommons.org/croissant/RAI/",
  "data": {"@id": "cr:data", "@type": "@json"}, "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
  "dct": "http://purl.org/dc/terms/", "equivalentProperty": "cr:equivalentProperty", "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract",
  "field": "cr:field", "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet",
  "format": "cr:format", "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath",
  "key": "cr:key", "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "recordSet": "cr:recordSet",
  "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated", "replace": "cr:replace",
  "samplingRate": "cr:samplingRate", "sc": "https://schema.org/", "separator": "cr:separator", "source": "cr:source",
  "subField": "cr:subField", "transform": "cr:transform"
}`

// croissant returns the description of the data set in Croissant's format. It has a file and a record set for each
// split, and a file set for the split's pictures or clips. sums holds the SHA-256 of each split's rows.
func (d Dataset[R]) croissant(sums map[string]string) []byte {
	var files, records []map[string]any
	for _, split := range d.Splits {
		table := split.Name + "-rows"
		files = append(files, map[string]any{"@type": "cr:FileObject", "@id": table, "name": table,
			"contentUrl": d.table(split.Name), "encodingFormat": "application/jsonlines",
			"sha256": sums[split.Name]})
		if d.File != nil {
			files = append(files, map[string]any{"@type": "cr:FileSet", "@id": split.Name + "-files",
				"name": split.Name + "-files", "encodingFormat": d.mediaType(),
				"includes": split.Name + "/*." + d.Ending})
		}
		var fields []map[string]any
		for _, c := range d.columns() {
			id := split.Name + "/" + c.name
			fields = append(fields, map[string]any{"@type": "cr:Field", "@id": id, "name": c.name,
				"description": c.about, "dataType": c.kind,
				"source": map[string]any{"fileObject": map[string]any{"@id": table},
					"extract": map[string]any{"column": c.name}}})
		}
		records = append(records, map[string]any{"@type": "cr:RecordSet", "@id": split.Name, "name": split.Name,
			"description": split.About, "field": fields})
	}
	text, err := json.MarshalIndent(map[string]any{
		"@context": json.RawMessage(croissantContext), "@type": "sc:Dataset",
		"conformsTo": "http://mlcommons.org/croissant/1.1", "name": d.Name, "description": d.About,
		"license": d.License, "citeAs": d.Cite, "url": "https://github.com/unlearnlab/unlearnlab", "version": "1.0.0",
		"distribution": files, "recordSet": records,
	}, "", " ")
	if err != nil {
		panic(err) // cannot happen: all values can be encoded
	}
	return append(text, '\n')
}

// mediaType returns the media type of the pictures or clips.
func (d Dataset[R]) mediaType() string {
	return map[string]string{"png": "image/png", "wav": "audio/x-wav"}[strings.ToLower(d.Ending)]
}
