"use strict";
// The theme switch. The choice is kept if the browser allows it.
{
	const choice = document.getElementById("theme");
	const keep = (name) => { try { localStorage.setItem("unlearnlab-theme", name); } catch { /* not here */ } };
	const kept = () => { try { return localStorage.getItem("unlearnlab-theme"); } catch { return null; } };
	const show = (name) => {
		if (name) document.documentElement.dataset.theme = name;
		else delete document.documentElement.dataset.theme;
	};
	choice.value = kept() || "";
	show(choice.value);
	choice.closest(".theme").hidden = false;
	choice.addEventListener("change", () => { show(choice.value); keep(choice.value); });
}

// The address after # is the identifier of a part and, after a question mark, the state of its filter.
const address = () => {
	const [id, state] = location.hash.slice(1).split("?");
	return { id: decodeURIComponent(id), state: new URLSearchParams(state || "") };
};

// A filter shows the rows whose data equal the choices and whose text has the words. Its table may be sortable: the
// order is a part of the state, "sort=2" or "sort=-2".
const filters = new Map();
for (const form of document.querySelectorAll(".filter")) {
	const table = document.getElementById(form.dataset.of), body = table.tBodies[0], rows = [...body.rows];
	const said = form.querySelector("output");
	const first = new Map([...form.elements].filter((e) => e.name).map((e) => [e.name, e.value]));
	const heads = table.classList.contains("sortable") ? [...table.tHead.rows[0].cells] : [];
	let order = 0; // column from 1, negative for descending
	const texts = new Map();
	const textOf = (row) => {
		if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
		return texts.get(row);
	};
	const apply = () => {
		const chosen = [...form.querySelectorAll("select")].filter((s) => s.value);
		const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0;
		for (const row of rows) {
			row.hidden = !chosen.every((s) => row.dataset[s.name] === s.value) || !words.every((w) => textOf(row).includes(w));
			if (!row.hidden) shown++;
		}
		said.textContent = shown === rows.length ? `all ${shown} rows` : `${shown} of ${rows.length} rows`;
	};
	const valueOf = (row) => {
		const cell = row.cells[Math.abs(order) - 1];
		const text = (cell.dataset.value ?? cell.textContent).trim();
		const number = parseFloat(text);
		return text === "" || text === "NaN" ? null : Number.isNaN(number) ? text.toLowerCase() : number;
	};
	const sort = (column) => {
		order = column;
		heads.forEach((head, i) => {
			if (i + 1 === Math.abs(order)) head.ariaSort = order > 0 ? "ascending" : "descending";
			else head.removeAttribute("aria-sort");
		});
		const sorted = order === 0 ? rows : rows.map((row) => [row, valueOf(row)]).sort(([, a], [, b]) => {
			if (a === null || b === null) return (a === null) - (b === null); // missing values are last
			return (a < b ? -1 : a > b ? 1 : 0) * Math.sign(order);
		}).map(([row]) => row);
		body.append(...sorted);
	};
	const set = (state) => {
		for (const [name, value] of first) form.elements[name].value = state.get(name) ?? value;
		sort(heads.length ? parseInt(state.get("sort") || "0", 10) : 0);
		apply();
	};
	const save = () => {
		const state = new URLSearchParams();
		for (const [name, value] of first) if (form.elements[name].value !== value) state.set(name, form.elements[name].value);
		if (order) state.set("sort", order);
		history.replaceState(null, "", `#${form.id}${state.size ? `?${state}` : ""}`);
	};
	heads.forEach((head, i) => {
		const button = document.createElement("button");
		button.type = "button";
		button.append(...head.childNodes);
		head.append(button);
		button.addEventListener("click", () => { sort(order === i + 1 ? -(i + 1) : i + 1); save(); });
	});
	form.addEventListener("input", () => { apply(); save(); });
	form.addEventListener("submit", (e) => e.preventDefault());
	form.hidden = false;
	set(new URLSearchParams());
	filters.set(form.id, { set, table });
}

// The search box in the header leads to the search page.
for (const form of document.querySelectorAll(".seek")) {
	form.hidden = false;
	form.addEventListener("submit", (e) => {
		e.preventDefault();
		location.href = `${form.dataset.find}?${new URLSearchParams({ q: form.elements.q.value })}`;
	});
}

for (const p of document.querySelectorAll(".unfold")) {
	p.hidden = false;
	p.firstElementChild.addEventListener("click", () => {
		const all = [...p.parentElement.querySelectorAll("details.item")], open = all.some((d) => !d.open);
		for (const d of all) d.open = open;
		p.firstElementChild.textContent = open ? "Fold all" : "Unfold all";
	});
}

// A link sets the filter that it names, and unfolds and shows what it leads to.
const reveal = () => {
	const { id, state } = address();
	const target = id && document.getElementById(id);
	if (!target) return;
	filters.get(id)?.set(state);
	if (target.hidden) for (const f of filters.values()) if (f.table.contains(target)) f.set(new URLSearchParams());
	for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
	target.scrollIntoView();
};
addEventListener("hashchange", reveal);
reveal();

// A table that is wider than its box says so and can be scrolled from the keyboard; others are no stop of the keyboard.
{
	const look = (box) => {
		const wide = box.scrollWidth > box.clientWidth + 1;
		if (wide || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
		else box.removeAttribute("tabindex");
		const hint = box.previousElementSibling;
		if (hint?.classList.contains("hint")) hint.hidden = !wide;
	};
	const seen = new ResizeObserver((boxes) => { for (const { target } of boxes) look(target); });
	for (const box of document.querySelectorAll(".scroll")) seen.observe(box);
}
