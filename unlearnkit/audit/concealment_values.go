package audit

// A CRSValue is a concept retrieval score printed in Unlearning or Concealment?.
type CRSValue struct {
	Row     string  `json:"row"`    // prompt of the row
	Retain  bool    `json:"retain"` // the concept is to be retained: equation (7); otherwise equation (8)
	Printed float64 `json:"printed"`
}

// CRSValues returns the scores of Tables 1 to 3 in page order.
func CRSValues() ([]CRSValue, error) {
	l, err := openLedger("concealment")
	if err != nil {
		return nil, err
	}
	var values []CRSValue
	for _, item := range concealmentTables {
		for _, row := range l.rows(item) {
			if l.find(item, row, "CRS") < 0 {
				continue
			}
			values = append(values, CRSValue{row, l.at(item, row, "Concept Class").Value == "Retain",
				value(l.at(item, row, "CRS"))})
		}
	}
	return values, nil
}
