// Computes the tables of docs/scaling.md from measurements: what listeners cost. The results are in units that
// providers bill, because prices differ.

/** Assumptions about how people listen. Replace them by the statistics of your own service. */
export const listeningHabits = {
  listening_hours_per_month: 15,
  peak_over_average: 3,
  premium_share: 0.3,
  browse_per_hour: 12,
  searches_per_hour: 4,
  plays_per_hour: 15,
  /** A player sends a heartbeat and a progress report every ten seconds. */
  reports_per_hour: 360,
  /** Audio per hour at 128 kbit/s and at 256 kbit/s. */
  standard_bytes_per_hour: 57_600_000,
  high_bytes_per_hour: 115_200_000,
  /** Processors are chosen so that half of their time is used at the peak. */
  used_at_peak: 0.5,
  minutes_per_track: 4,
}

const hoursPerMonth = 730
const gigabyte = 1e9

/**
 * Returns what one hour of listening costs: CPU milliseconds per component, bytes of audio, bytes of new rows,
 * requests.
 */
export function computeHourlyCost(capacity, by = listeningHabits) {
  const bytes =
    by.premium_share * by.high_bytes_per_hour + (1 - by.premium_share) * by.standard_bytes_per_hour
  const streams = bytes / (capacity.stream.bytes / capacity.stream.count)
  const ms = (part) =>
    by.browse_per_hour * capacity.browse[part] +
    by.searches_per_hour * capacity.search[part] +
    by.reports_per_hour * (capacity.beat[part] + capacity.play[part])
  const sound = (part) => streams * capacity.stream[part]
  return {
    web_ms: ms('web_ms'),
    web_sound_ms: sound('web_ms'),
    proxy_ms: ms('proxy_ms') + sound('proxy_ms'),
    database_ms: ms('database_ms'),
    bytes,
    row_bytes: by.plays_per_hour * capacity.play_row_bytes,
    requests: by.browse_per_hour + by.searches_per_hour + 2 * by.reports_per_hour,
  }
}

/** Returns what the given number of listeners per month needs. */
export function computeNeeds(listeners, capacity, by = listeningHabits) {
  const hour = computeHourlyCost(capacity, by)
  const hours = listeners * by.listening_hours_per_month
  const atOnce = (hours / hoursPerMonth) * by.peak_over_average
  const cores = (ms) => (atOnce * ms) / 3_600_000 / by.used_at_peak
  return {
    at_once: atOnce,
    requests_per_second: (atOnce * hour.requests) / 3600,
    web_cores: cores(hour.web_ms),
    web_cores_with_sound: cores(hour.web_ms + hour.web_sound_ms),
    proxy_cores: cores(hour.proxy_ms),
    database_cores: cores(hour.database_ms),
    processor_hours:
      (hours * (hour.web_ms + hour.web_sound_ms + hour.proxy_ms + hour.database_ms)) / 3_600_000,
    sound_gigabytes: (hours * hour.bytes) / gigabyte,
    peak_gigabits_per_second: (atOnce * hour.bytes * 8) / 3600 / 1e9,
    database_gigabytes_more: (hours * hour.row_bytes) / gigabyte,
  }
}

export const crowds = [1_000, 100_000, 10_000_000]

/** Returns the generated part of docs/scaling.md. */
export function renderScalingTables(capacity, by = listeningHabits) {
  const all = crowds.map((listeners) => computeNeeds(listeners, capacity, by))
  const row = (what, of) => `| ${what} | ${all.map((needs) => short(of(needs))).join(' | ')} |`
  const each = (what, { web_ms, proxy_ms, database_ms }) =>
    `| ${what} | ${web_ms} | ${proxy_ms} | ${database_ms} | ${short(1000 / Math.max(web_ms, 0.001))} |`
  const perTrack = (capacity.stored_bytes_per_minute * by.minutes_per_track * 1_000) / gigabyte
  return `Measured on ${capacity.date}: ${capacity.machine}, by \`npm run lab -- lab/capacity/capacity.ts\`.

| cost of one request | instance, ms | proxy, ms | database, ms | per second and core of an instance |
|---|---|---|---|---|
${each('the list of Browse', capacity.browse)}
${each('a search', capacity.search)}
${each('a heartbeat of a player', capacity.beat)}
${each('a play report', capacity.play)}
${each(`${short(capacity.stream.bytes / capacity.stream.count / 1e6)} MB of audio through the instance`, capacity.stream)}

A play takes ${capacity.play_row_bytes} bytes of the database with its indexes; 1,000 tracks of ${by.minutes_per_track} minutes take ${short(perTrack)} GB of
storage with their WAV sources. Processing a minute of music takes ${capacity.pipeline_seconds_per_minute} s of a core. An instance that is idle after
work uses ${short(capacity.web_idle_bytes / 1e6)} MB, including memory shared with other processes ([the notebook](../lab/notebook.md) has the proportional
share of a newly started one).

| monthly listeners | ${crowds.map((count) => count.toLocaleString('en')).join(' | ')} |
|---|${crowds.map(() => '---').join('|')}|
${row('concurrent listeners at the peak', (needs) => needs.at_once)}
${row('requests per second at the peak, without audio', (needs) => needs.requests_per_second)}
${row('cores of instances, audio from the store', (needs) => needs.web_cores)}
${row('cores of instances, audio through them', (needs) => needs.web_cores_with_sound)}
${row('cores of proxies, audio through them', (needs) => needs.proxy_cores)}
${row('cores of the primary', (needs) => needs.database_cores)}
${row('processor hours per month, in total', (needs) => needs.processor_hours)}
${row('GB of audio sent per month', (needs) => needs.sound_gigabytes)}
${row('Gbit/s of audio at the peak', (needs) => needs.peak_gigabits_per_second)}
${row('growth of the database per month, GB', (needs) => needs.database_gigabytes_more)}
`
}

function short(value) {
  const digits = value >= 100 ? 0 : value >= 1 ? 1 : 3
  return Number(value.toFixed(digits)).toLocaleString('en', { maximumFractionDigits: digits })
}
