package profile

import (
	"fmt"
	"image"
)

// SheetRow holds the pictures of one person on a contact sheet.
type SheetRow struct {
	Identity int
	Name     string
	Anchors  [anchorCount]*image.NRGBA
	Train    [5]*image.NRGBA
	Test     [7]*image.NRGBA
}

// Sheet draws the rows of a contact sheet: for each person the two anchors, then training and test pictures.
func (c *Cast) Sheet(identities ...int) ([]SheetRow, error) {
	rows := make([]SheetRow, len(identities))
	for i, identity := range identities {
		if identity < 0 || identity >= len(c.People) {
			return nil, fmt.Errorf("profile: a sheet of person %d; there are 0 to %d", identity, len(c.People)-1)
		}
		row := SheetRow{Identity: identity, Name: c.People[identity].Name()}
		for k := range row.Anchors {
			row.Anchors[k] = c.Anchor(identity, k)
		}
		for k := range row.Train {
			row.Train[k] = c.Picture(identity, k%c.training)
		}
		for k := range row.Test {
			row.Test[k] = c.Picture(identity, c.training+k)
		}
		rows[i] = row
	}
	return rows, nil
}
