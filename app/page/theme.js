// Before the first paint: a chosen theme must not flash.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "";
