package audit

// audits maps papers to their checks.
var audits = map[string]func(*ledger){
	"salmu":       auditSALMU,
	"remem":       auditReMem,
	"unslu":       auditUnSLU,
	"concealment": auditConcealment,
}
