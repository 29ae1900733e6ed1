// Package profilefolder reads data sets of fictional people from folders, in the layouts of their downloads.
//
// It returns people, questions about them, and pictures on demand. [Folder.Set] is the form that package profile
// divides into what to forget and what to retain. [Open] detects which of the data sets a folder has:
//
//	records       one question per row in Parquet, JSON or JSON lines: the layout of ReMem (arXiv:2605.03759)
//	FIUBench      full.json, one person per line with a picture and a list of questions; split.json, who is to be
//	              forgotten; and the pictures of SFHQ.zip, unpacked
//	MLLMU-Bench   Parquet files with a picture, a question and a biography per row in Full_Set and ft_Data, and
//	              with those who are to be forgotten in forget_5, forget_10, forget_15
//
// The names for FIUBench come from its publisher's listing of files and its released code. data_module.py and
// evaluate_util.py read image_path, unique_id and qa_list of a line, and question, answer, keywords and
// paraphrased_question of a question. The names name, caption and gender come from other readers of the same file. The
// names for MLLMU-Bench come from its publisher's data card, and metadata of ft_Data from its released code.
//
// The columns of ReMem's published data were not available. They are searched for by the names that its paper's terms
// suggest and by usual alternatives. If one is missing, the error lists the names searched for and the existing
// columns. Profiles may be in the rows, under the names of package profile's attributes, or in a separate file
// profiles.
//
// [Check] examines a download and reports what is missing or wrong.
package profilefolder
