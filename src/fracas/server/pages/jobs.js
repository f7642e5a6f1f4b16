// Shows how far a job is while its page is open. Without it the page's link loads it again.

const part = document.querySelector("[data-job]");
const bar = part.querySelector("progress");
const line = part.querySelector("[data-line]");
const spoken = part.querySelector("[role=status]");
let quarter = -1;

const following = new EventSource(part.dataset.job);

function show(event) {
  const job = JSON.parse(event.data);
  const percent = Math.floor(100 * job.progress);
  bar.value = job.progress;
  line.textContent = [job.state, job.state === "running" ? `${percent} %` : "", job.step || ""].filter(Boolean).join(", ");
  // A screen reader hears of each quarter, not of each event.
  if (Math.floor(percent / 25) > quarter) {
    quarter = Math.floor(percent / 25);
    spoken.textContent = `${job.state}, ${percent} percent`;
  }
}

following.addEventListener("progress", show);
following.addEventListener("ended", () => {
  following.close();
  location.reload();
});
