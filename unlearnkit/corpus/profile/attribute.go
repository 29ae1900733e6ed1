package profile

import "slices"

// Attribute is one of a person's properties in a profile.
type Attribute string

// Attributes of a profile.
const (
	FullName         Attribute = "full_name"
	Email            Attribute = "email"
	PhoneNumber      Attribute = "phone_number"
	DateOfBirth      Attribute = "date_of_birth"
	Address          Attribute = "address"
	Gender           Attribute = "gender"
	Ethnicity        Attribute = "race_or_ethnicity"
	MaritalStatus    Attribute = "marital_status"
	Religion         Attribute = "religion"
	Job              Attribute = "job"
	Salary           Attribute = "annual_salary_usd"
	Education        Attribute = "education_level"
	MedicalCondition Attribute = "medical_condition"
	FinancialTag     Attribute = "financial_tag"
)

var attributes = []Attribute{FullName, Email, PhoneNumber, DateOfBirth, Address, Gender, Ethnicity, MaritalStatus,
	Religion, Job, Salary, Education, MedicalCondition, FinancialTag}

// Attributes returns the 14 attributes in a fixed order.
func Attributes() []Attribute { return slices.Clone(attributes) }

// personal lists the attributes that no two people may share.
var personal = []Attribute{FullName, Email, PhoneNumber, Address}

// Personal returns the attributes that no two people may share.
func Personal() []Attribute { return slices.Clone(personal) }

// Profile holds a fictional person's attributes.
type Profile struct {
	Facts    map[Attribute]string `json:"facts"`
	Pictures int                  `json:"pictures"` // number of the person's pictures
}

// Name returns the full name.
func (p Profile) Name() string { return p.Facts[FullName] }

// Values returns the distinct values of an attribute among people, in order of occurrence. The Exposure metric ranks
// the true value among these candidates.
func Values(people []Profile, a Attribute) []string {
	var values []string
	for _, p := range people {
		if v := p.Facts[a]; v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}
