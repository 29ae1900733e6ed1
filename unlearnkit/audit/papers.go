package audit

// audits are the papers' checks, named once.
var audits = map[string]func(*ledger){
	"salmu":       auditSALMU,
	"remem":       auditReMem,
	"unslu":       auditUnSLU,
	"concealment": auditConcealment,
}
