// Package profilefolder reads data sets of people who do not exist from folders, as they lie on disk after a download.
//
// It gives people, questions about them, and pictures when somebody asks for them; [Folder.Set] is what package profile
// divides into what is to be forgotten and what stays. [Open] finds out which of the data sets a folder holds:
//
//	records       a question a row in Parquet, JSON or JSON lines: the layout of ReMem (arXiv:2605.03759)
//	FIUBench      full.json, somebody a line with a picture and a list of questions; split.json, who is to be
//	              forgotten; and the pictures of SFHQ.zip, unpacked
//	MLLMU-Bench   Parquet files with a picture, a question and a biography a row in Full_Set and ft_Data, and
//	              with those who are to be forgotten in forget_5, forget_10, forget_15
//
// Where the names are from: those of FIUBench from its publisher's listing of files and its released code,
// data_module.py and evaluate_util.py, which read image_path, unique_id and qa_list of a line, and question, answer,
// keywords and paraphrased_question of a question; name, caption and gender from others' readers of the same file.
// Those of MLLMU-Bench from its publisher's data card, and metadata of ft_Data from its released code.
//
// The columns of ReMem's published data could not be seen. They are looked for by the names that its paper's terms
// suggest and by others that are usual for the same; what is looked for and what is there stands in the error where one
// of them lacks. Profiles may stand in the rows, under the names of package profile's attributes, or in a file profiles
// beside them.
//
// [Check] looks through a download and says what is missing or wrong in it.
package profilefolder
