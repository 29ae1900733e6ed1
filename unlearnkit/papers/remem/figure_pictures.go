package remem

import (
	"fmt"
	"image"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

func pictures(r *Results) (*chart.Figure, error) {
	rows, err := r.Sheet()
	if err != nil {
		return nil, err
	}
	return PicturesFigure(rows)
}

// PicturesFigure draws ReMem's Table 9: anchors, training pictures and test pictures of some people.
func PicturesFigure(rows []profile.SheetRow) (*chart.Figure, error) {
	grid := chart.ImageGrid{Larger: 8. / 6, Title: fmt.Sprintf("Pictures of %d people who do not exist", len(rows)),
		Caption: "Each row shows one person. No question is about anchors: they define what a person looks " +
			"like, and generated pictures are kept if they resemble them. Test pictures have layouts that " +
			"training pictures lack"}
	for _, row := range rows {
		var images []image.Image
		for _, pictures := range [][]*image.NRGBA{row.Anchors[:], row.Train[:], row.Test[:]} {
			for _, picture := range pictures {
				images = append(images, picture)
			}
		}
		grid.Rows, grid.Images = append(grid.Rows, row.Name), append(grid.Images, images)
		grid.Spans = []chart.Span{{Name: "anchors", Columns: len(row.Anchors)},
			{Name: "training", Columns: len(row.Train)}, {Name: "test", Columns: len(row.Test)}}
	}
	return grid.Figure()
}
