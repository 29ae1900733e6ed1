package printed

// paper is how a reader knows a paper, and how its tables are read.
type paper struct {
	title   string
	layouts map[string]layout // of the items that need more than their cells
}

// known are the papers, named once.
var known = map[string]paper{"salmu": salmu, "remem": remem, "unslu": unslu, "concealment": concealment}

// Titles are the papers' names as a reader knows them.
var Titles = titles()

func titles() map[string]string {
	all := map[string]string{}
	for name, paper := range known {
		all[name] = paper.title
	}
	return all
}
