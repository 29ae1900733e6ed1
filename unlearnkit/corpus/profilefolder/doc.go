// Package profilefolder reads data sets of fictional people from folders, in the layouts of their downloads.
//
// [Open] detects the layout of a folder and returns people and questions; pictures are read on demand. [Folder.Set]
// converts them for package profile, which divides people into those to forget and those to retain. The layouts are:
//
//	records       one question per row in Parquet, JSON or JSON lines: the layout of ReMem (arXiv:2605.03759)
//	FIUBench      full.json, one person per line with a picture and a list of questions; split.json, who is to be
//	              forgotten; and the pictures of SFHQ.zip, unpacked
//	MLLMU-Bench   Parquet files with a picture, a question and a biography per row in Full_Set and ft_Data, and
//	              with those who are to be forgotten in forget_5, forget_10, forget_15
//
// The names for FIUBench come from its publisher's list of files and its released code. data_module.py and
// evaluate_util.py read image_path, unique_id and qa_list from a line, and question, answer, keywords and
// paraphrased_question from a question. The names name, caption and gender come from other programs that read the same
// file. The names for MLLMU-Bench come from its publisher's data card, and the name metadata in ft_Data from its
// released code.
//
// The column names of ReMem's published data were not available. The package tries names that follow the paper's terms,
// and common alternatives. If a column is missing, the error lists the tried names and the existing columns. Profiles
// may be in the rows, in columns named like the attributes of package profile, or in a separate file such as
// profiles.jsonl.
//
// [Check] examines a download and reports what is missing or wrong.
package profilefolder
