// Checks the pages of "unlearnlab report" in headless Chromium: they must load nothing from elsewhere, axe-core must find
// no violation (light and dark, three widths, everything unfolded), nothing may be wider than the screen, the first page
// must be short, first columns must stay in place, and filters, sorting, search, links and the theme switch must work.
//
//	make check-page
//	node scripts/check_page.mjs FOLDER [PICTURES]
//
// It reads its packages from .lab/page, or from the folder in PACKAGES, and writes screenshots and printed pages to
// PICTURES.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const packages = createRequire(path.resolve(process.env.PACKAGES || ".lab/page", "index.js"));
const puppeteer = packages("puppeteer-core");
const axe = fs.readFileSync(packages.resolve("axe-core/axe.min.js"), "utf8");

const mostScreens = 5, screen = 900;
const [folder, pictures] = process.argv.slice(2);
if (!folder) {
	console.error("usage: node scripts/check_page.mjs FOLDER [PICTURES]");
	process.exit(2);
}
if (pictures) fs.mkdirSync(pictures, { recursive: true });
const base = pathToFileURL(path.resolve(folder)).href;
const names = fs.readdirSync(folder).filter((n) => n.endsWith(".html")).map((n) => n.replace(".html", ""));
const papers = names.filter((n) => n !== "index" && n !== "find");
const problems = [];
const check = (holds, what) => { if (!holds) { problems.push(what); console.log(`FAILED  ${what}`); } };

const browser = await puppeteer.launch({
	executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"], protocolTimeout: 600_000,
});

async function open(name, [width, height] = [1400, screen], theme = "light") {
	const tab = await browser.newPage();
	await tab.setBypassCSP(true); // only for axe: requests of the page are counted
	await tab.setViewport({ width, height });
	await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
	tab.on("request", (r) => check(r.url().startsWith("data:") || r.url().startsWith(`${base}/`), `${name} loads ${r.url()}`));
	tab.on("requestfailed", (r) => check(false, `${name} cannot load ${r.url()}`));
	tab.on("pageerror", (e) => check(false, `the script of ${name} fails: ${e.message}`));
	const [file, hash] = name.split("#");
	await tab.goto(`${base}/${file}.html${hash ? `#${hash}` : ""}`, { waitUntil: "load", timeout: 300_000 });
	return tab;
}

const picture = async (tab, name) => {
	if (pictures) await tab.screenshot({ path: path.join(pictures, `${name}.png`) });
};

for (const size of [[1400, screen], [768, 1024], [390, 844]]) {
	for (const theme of ["light", "dark"]) {
		for (const name of names) {
			const where = `${name} ${size[0]} ${theme}`;
			const tab = await open(name, size, theme);
			await picture(tab, where.replaceAll(" ", "-"));
			const screens = await tab.evaluate(() => document.documentElement.scrollHeight / innerHeight);
			if (name === "index" && size[0] === 1400) check(screens <= mostScreens, `${where}: it is ${screens.toFixed(2)} screens long`);
			await tab.evaluate(() => { for (const d of document.querySelectorAll("details")) d.open = true; });
			const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			check(wide <= 0, `${where}: it is ${wide} pixels wider than the screen`);
			check(await tab.$$eval("figure img", (all) => all.filter((i) => i.offsetParent).every((i) =>
				i.getBoundingClientRect().width >= .8 * i.getAttribute("width"))), `${where}: a figure is too small to read`);
			const stays = await tab.$$eval(".scroll:has(table)", (all) => all.filter((box) => box.offsetParent).every((box) => {
				box.scrollLeft = box.scrollWidth;
				const first = box.querySelector("tbody tr:not([hidden]) th");
				const holds = !first || Math.abs(first.getBoundingClientRect().left - box.getBoundingClientRect().left) < 3;
				box.scrollLeft = 0;
				return holds;
			}));
			check(stays, `${where}: the first column of a table scrolls away`);
			await tab.evaluate(axe);
			const began = Date.now();
			const { violations, passes } = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
			for (const v of violations) {
				check(false, `${where}: ${v.id} (${v.impact}): ${v.help}, ${v.nodes.length} times, such as ` +
					`${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].failureSummary.replaceAll("\n", " ")}`);
			}
			console.log(`${where}: ${screens.toFixed(1)} screens; axe-core: ${passes.length} rules hold, ${violations.length} ` +
				`do not (${((Date.now() - began) / 1000).toFixed(0)} s)`);
			await tab.close();
		}
	}
}

const shown = (tab, table) => tab.$$eval(`#${table} tbody tr`, (all) => all.filter((r) => r.offsetParent).map((r) =>
	[...r.cells].map((c) => c.textContent.trim())));

// The keyboard, the search, and the theme.
{
	const tab = await open("index");
	await tab.keyboard.press("Tab");
	check(await tab.evaluate(() => document.activeElement.className === "skip" &&
		document.activeElement.getBoundingClientRect().left >= 0), "the first Tab does not show the skip link");
	await tab.type(".seek input", "delete");
	await Promise.all([tab.waitForNavigation(), tab.keyboard.press("Enter")]);
	const found = await shown(tab, "find-table");
	check(found.length > 0 && found.every((cells) => cells.join(" ").toLowerCase().includes("delete")), "the search does not filter");
	check(await tab.$$eval("input[type=search]", (all) => all.length) === 1, "the search page has more than one box");
	await tab.type("#find input[name=q]", "zz");
	check((await shown(tab, "find-table")).length === 0, "the search does not filter while one types");
	await tab.keyboard.press("Backspace");
	await tab.keyboard.press("Backspace");
	await tab.select("#find select[name=kind]", "table");
	check((await shown(tab, "find-table")).length < found.length && tab.url().includes("kind=table"), "a choice is not in the address");
	await tab.select("#theme", "dark");
	check(await tab.evaluate(() => getComputedStyle(document.body).backgroundColor) !== "rgb(255, 255, 255)", "the theme does not change");
	await tab.select("#theme", "");
	await tab.close();
}

// Each paper's leaderboard sorts, its claims are filtered by an address, and a link unfolds what it leads to.
for (const paper of papers) {
	const tab = await open(`${paper}#${paper}-claims-filter?verdict=holds`);
	const claims = await shown(tab, `${paper}-claims-table`);
	check(claims.length > 0 && claims.every((c) => c[1].endsWith("holds")), `${paper}: the address does not filter the claims`);
	const board = `${paper}-board-table`;
	const sorts = async (table, column, what) => {
		await tab.$eval(`#${table} thead th:nth-child(${column}) button`, (b) => b.click());
		const values = (await shown(tab, table)).map((c) => parseFloat(c[column - 1]));
		check(values.length > 1 && values.every((v, i) => i === 0 || values[i - 1] <= v), `${paper}: ${what} does not sort`);
	};
	const far = (await shown(tab, board)).map((c) => parseFloat(c.at(-1))).filter((v) => !Number.isNaN(v));
	check(far.length > 1 && far.every((v, i) => i === 0 || far[i - 1] <= v), `${paper}: the leaderboard does not begin with the nearest`);
	await sorts(board, 2, "the leaderboard");
	await picture(tab, `${paper}-board`);
	await tab.evaluate((id) => { document.getElementById(id).closest("details").open = true; }, `${paper}-board-scores`);
	await sorts(`${paper}-board-scores-table`, 3, "the list of single scores");
	for (const kind of ["table", "figure"]) {
		const id = await tab.$eval(`[id^=${paper}-${kind}-]:is(details)`, (d) => d.id);
		await tab.evaluate((hash) => { location.hash = hash; }, id);
		await tab.waitForFunction((i) => document.getElementById(i).open, { timeout: 30_000 }, id);
	}
	await tab.close();
}

for (const name of pictures ? names : []) {
	const tab = await open(name, undefined, "dark");
	await tab.pdf({ path: path.join(pictures, `${name}.pdf`), preferCSSPageSize: true, printBackground: false, timeout: 600_000 });
	await tab.close();
}
await browser.close();
console.log(problems.length ? `${problems.length} problems` : "no problem");
process.exit(problems.length ? 3 : 0);
