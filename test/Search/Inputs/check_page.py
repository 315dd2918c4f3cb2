"""check_page.py SCHEMA REPORT.json PAGE.html: the report keeps to its schema; the page is well-formed and says the same."""

import json
import math
import re
import sys
import xml.etree.ElementTree as xml

import jsonschema

schema, report, page = sys.argv[1:]
with open(schema) as file:
    validator = jsonschema.Draft202012Validator(json.load(file))
validator.check_schema(validator.schema)
with open(report) as file:
    found = json.load(file)
complaints = [f"{report}: {error.message}" for error in validator.iter_errors(found)]


def expect(claim, what):
    if not claim:
        complaints.append(f"{page}: {what}")


tree = xml.parse(page)
parents = {child: element for element in tree.iter() for child in element}
text = " ".join("".join(tree.getroot().itertext()).split())
expect(tree.getroot().tag == "html" and tree.find("head/title") is not None, "has no title")
# HTML reads the escapes of XML everywhere but in a style sheet.
with open(page) as file:
    expect("&" not in file.read().partition("</style>")[0].partition("<style>")[2], "has an escape in its style sheet")
expect(not list(tree.iter("script")), "has a script")
for element in tree.iter():
    for name, value in element.attrib.items():
        expect(name not in ("src", "href") or value.startswith("#"), f"names another file: {value}")
        expect("nan" not in value.split() and "inf" not in value.split(), f"has the {name} '{value}'")
ids = [element.get("id") for element in tree.iter() if element.get("id")]
expect(len(ids) == len(set(ids)), "has an id twice")
for link in tree.iter("a"):
    expect(link.get("href")[1:] in ids, f"has no {link.get('href')}")

# An image is described, and nothing is drawn beyond its bounds.
for image in tree.iter("svg"):
    expect(image.get("aria-label") or image.get("aria-hidden"), "has an image without alternative text")
    left, top, width, height = map(float, image.get("viewBox").split())
    points = [re.findall(r"[-\d.]+", mark.get("transform")) for mark in image.iter("path")]
    points += [(end.get("x" + side), end.get("y" + side)) for end in image.iter("line") for side in "12"]
    points += [point.split(",") for band in image.iter("polygon") for point in band.get("points").split()]
    for box in image.iter("rect"):
        x, y = float(box.get("x")), float(box.get("y"))
        points += [(x, y), (x + float(box.get("width")), y + float(box.get("height")))]
    for x, y in points:
        inside = left <= float(x) <= left + width and top <= float(y) <= top + height
        expect(inside, f"draws at {x}, {y}, beyond its bounds")

# What a machine reads is what a person reads.
sections = [section for section in tree.iter("section") if section.get("id")]
expect(len(sections) == len(found["kernels"]), "has not a section for each kernel")
for section, kernel in zip(sections, found["kernels"]):
    expect("".join(section.find("h3").itertext()) == kernel["name"], f"has no section of {kernel['name']}")
    expect(len(section.findall("details/div/table/tbody/tr")) == len(kernel["schedules"]), "has not all schedules")
    codes = ["".join(code.itertext()).strip() for code in section.iter("code")]
    for tried in kernel["schedules"]:
        expect(tried["schedule"] in codes, f"has no {tried['schedule']}")
    both = [tried for tried in kernel["schedules"] if tried["predicted_us"] and tried["measured_us"]]
    plot = section.find(".//figure/svg")
    if both and plot is not None:
        dots = [mark for mark in plot.iter("path") if not {"failed", "unmeasured"} & set(mark.get("class").split())]
        same = kernel["untuned"] == kernel["chosen"]
        expect(len(dots) >= len(both) and plot.findall("line[@class='diagonal']"), "has not all measurements plotted")
        expect(len(plot.findall("text[@class='tick up']")) >= 2, "has no ticks")
        expect(same or len({mark.get("d") for mark in dots if mark.get("class") != "mark known"}) >= 2 or len(both) < 2,
               "marks the choice by colour alone")
    correlation = kernel["predictions"] and kernel["predictions"]["rank_correlation"]
    if correlation is not None and math.isfinite(correlation):
        expect("Rank correlation" in "".join(section.itertext()), "has no rank correlation")
expect(found["target"] in text and (not found["device"] or found["device"]["name"] in text), "names no device")
expect(("The search was interrupted" in text) == found["interrupted"], "does not say whether it was interrupted")
for complaint in complaints:
    print(complaint)
print(f"{len(sections)} kernels checked, {len(complaints)} complaints")
sys.exit(bool(complaints))
