// Reads the server's log: checks that no two runs of a job overlap, and finds the errors of failed requests.

/** Returns the last 10 different errors of failed requests. */
export function findFailures(output: string): string[] {
  const reasons = output.split('\n').flatMap((line) => {
    if (!line.includes('"msg":"request failed"')) return []
    const { err } = JSON.parse(line) as { err: { code?: string; stack?: string } }
    return [`the server said: ${err.code ?? 'no code'} ${(err.stack ?? '').slice(0, 300)}`]
  })
  return [...new Set(reasons)].slice(-10)
}

interface Run {
  job_id: string
  job: string
  from: number
  to: number
}

interface Line {
  time: number
  ms: number
  job: string
  job_id: string
  msg: string
}

/** Returns the problems as messages. `output` is the output of all processes of the test, one after another. */
export function auditJobRuns(output: string): string[] {
  const runs = readRuns(output)
  const problems: string[] = []
  const byJob = new Map<string, Run[]>()
  for (const run of runs) byJob.set(run.job_id, [...(byJob.get(run.job_id) ?? []), run])
  for (const of of byJob.values()) {
    const sorted = of.toSorted((a, b) => a.from - b.from)
    for (const [index, run] of sorted.entries()) {
      const before = sorted[index - 1]
      if (before && run.from < before.to) {
        problems.push(`the job ${run.job} ${run.job_id} ran twice concurrently`)
      }
    }
  }
  return problems
}

function readRuns(output: string): Run[] {
  return output.split('\n').flatMap((line) => {
    if (!line.includes('"msg":"job ')) return []
    const { time, ms, job, job_id, msg } = JSON.parse(line) as Line
    if (msg !== 'job done' && msg !== 'job failed') return []
    return [{ job_id, job, from: time - ms, to: time }]
  })
}
