// Before the first paint, so that a chosen theme does not flash; what the system prefers needs no script.
{
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
}
