package persona

import "fmt"

// unseenCandidates is the number of pictures generated to get one that passes the filter.
const unseenCandidates = 8

// makeUnseen adds portraits that training never uses, in both styles. Each shows a different additional person. It runs
// last, so that the rest of the world does not depend on these portraits.
func (w *World) makeUnseen() error {
	spec := w.Spec
	var cells [2 * MaxGroups]int
	var report FilterReport // not part of the world's reports
	for tried := 0; len(w.Unseen) < spec.Unseen; tried++ {
		if tried == 3*spec.Unseen+20 {
			return fmt.Errorf("persona: of %d further people only %d have a picture that passes; lower unseen or "+
				"faults", tried, len(w.Unseen))
		}
		number := len(w.strangers)
		s := w.anchor("stranger", number, &cells)
		w.strangers = append(w.strangers, s)
		v := w.filter(s, unseenCandidates, &report)
		if len(v.passed) == 0 {
			continue
		}
		cells[2*v.group+int(v.gender)]++
		index := v.passed[0]
		row := Row{ID: fmt.Sprintf("s%04d_%03d", number, index), Split: UnseenGenerated, Identity: -1, Class: -1,
			Image: w.addRecipe(strangerPicture, number, index), Generic: w.genericOf(s, index)}
		row.Caption = row.Generic
		w.Unseen = append(w.Unseen, row)
	}
	for range spec.Unseen {
		number := len(w.real)
		w.drawRealPerson(number)
		row, _ := w.plainRealRow(UnseenReal, number, 0)
		w.Unseen = append(w.Unseen, row)
	}
	return nil
}
