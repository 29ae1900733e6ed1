package printed

// paper holds the title of a paper and the layouts of its tables.
type paper struct {
	title   string
	layouts map[string]layout // layouts by item
}

// known maps short names to papers.
var known = map[string]paper{"salmu": salmu, "remem": remem, "unslu": unslu, "concealment": concealment}

// Titles maps the papers' short names to their titles.
var Titles = titles()

func titles() map[string]string {
	all := map[string]string{}
	for name, paper := range known {
		all[name] = paper.title
	}
	return all
}
