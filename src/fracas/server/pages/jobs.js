// Shows how far a job is while its page is open. Without it the page's link loads it again.

const part = document.querySelector("[data-job]");
const bar = part.querySelector("progress");
const line = part.querySelector("[data-line]");
const spoken = part.querySelector("[role=status]");
let told = "";

const following = new EventSource(part.dataset.job);

function show(event) {
  const job = JSON.parse(event.data);
  const percent = Math.floor(100 * job.progress);
  bar.value = job.progress;
  line.textContent = [job.state, job.state === "running" ? `${percent} %` : "", job.step || ""].filter(Boolean).join(", ");
  // A screen reader hears of each state and each quarter, not of each event.
  const now = `${job.state}, ${percent - (percent % 25)} percent`;
  if (now !== told) spoken.textContent = told = now;
}

following.addEventListener("progress", show);
following.addEventListener("ended", () => {
  following.close();
  location.reload();
});
