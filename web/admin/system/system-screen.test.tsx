import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SystemStatus } from '#contract/admin/admin-system.ts'
import { admin, errorAnswer, mountApp } from '../../testing/mount-app.tsx'
import { useToasts } from '../../base/ui/overlays/toast-store.ts'

const failed = {
  id: '0191a0c0-0000-7000-8000-000000000001',
  job: 'process-track',
  track_title: 'First Harbour',
  track_id: '0191a0c0-0000-7000-8000-0000000000f1',
  error: 'ffmpeg could not finish its work.',
  tool_log: '[error] out of memory',
  tries: 13,
  failed_at: '2026-11-21T08:00:00Z',
}
const here = {
  id: '0191a0c0-0000-7000-8000-0000000000bb',
  host: 'box',
  role: 'all',
  version: '0.2.0',
  commit: '838f8f10c3ab',
  started_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  seen_at: new Date().toISOString(),
  is_alive: true,
  is_this: true,
  free_bytes: 50e9,
  folder: '',
  total_bytes: 100e9,
  level: 'ok',
} as const

const noBackup: SystemStatus['backup'] = {
  target: null,
  schedule: null,
  next_at: null,
  is_encrypted: false,
  last_good_at: null,
  is_overdue: false,
  running: null,
  last_run: null,
}

function status(changes: Partial<SystemStatus> = {}): SystemStatus {
  return {
    alerts: [],
    instances: [here],
    storage: { kind: 's3', bucket: 'music', is_reachable: false },
    database: { version: '18.4 (Debian)', byte_size: 12e6, is_embedded: false },
    queue: [{ job: 'process-track', ready: 1, deferred: 2, active: 3, failed: 4 }],
    failed_jobs: { total: 1, data: [failed] },
    last_backup: null,
    files: {
      last_check: null,
      damaged: {
        total: 0,
        repairable: 0,
        missing: 0,
        wrong_size: 0,
        wrong_bytes: 0,
        data: [],
      },
    },
    backup: noBackup,
    ffmpeg: { backend: 'wasm', version: '5.1.4' },
    mail: 'smtp',
    stripe: true,
    ...changes,
  }
}

beforeEach(() => useToasts.setState({ toasts: [] }))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const getRows = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => row.textContent)

test('shows the parts of the service, with advice where something can improve', async () => {
  mountApp('/admin/system', { 'GET /api/admin-system': status() }, admin)
  await screen.findByText('Commit 838f8f1. Running for 3 h 0 min')
  for (const text of [
    'music',
    'Not reachable',
    'PostgreSQL 18.4',
    'No backup yet',
    'Slow',
    'SMTP',
  ]) {
    expect(screen.getByText(text)).toBeTruthy()
  }
  screen.getByText('npm run backup -- velour-backup.tar')
  screen.getByText(/Install ffmpeg on this machine/)
  expect(getRows('Queue')[1]).toBe('Process tracks1234')
  expect(getRows('Instances')[1]).toBe(
    'boxWeb and worker0.2.0 (838f8f1)This instance3 h 0 min50.0 GB',
  )
  expect(screen.queryByText(/almost full/i)).toBeNull()
})

test('shows why a backup is overdue, then starts one and shows its progress', async () => {
  const created_at = new Date(Date.now() - 50 * 3_600_000).toISOString()
  const backup: SystemStatus['backup'] = {
    ...noBackup,
    target: 's3://safe/velour',
    schedule: '0 3 * * *',
    next_at: new Date(Date.now() + 3_600_000).toISOString(),
    last_good_at: created_at,
    is_overdue: true,
    last_run: { finished_at: created_at, result: 'failed', error: 'The store does not answer.' },
  }
  const last_backup = { created_at, byte_size: 5e9, object_count: 1200, missing_count: 0 }
  const { user, answers, requests } = mountApp(
    '/admin/system',
    {
      'GET /api/admin-system': status({ last_backup, backup }),
      'GET /api/admin-system/backups': { data: [], problem: null },
      'POST /api/admin-system/backups': () => {
        const running = { started_at: created_at, files_done: 12, files_total: 1200 }
        answers['GET /api/admin-system'] = status({ last_backup, backup: { ...backup, running } })
        return undefined
      },
    },
    admin,
  )
  await screen.findByText('Overdue')
  expect(screen.getByText('The last attempt failed:').parentElement?.textContent).toBe(
    'The last attempt failed: The store does not answer.',
  )
  screen.getByText(/to s3:\/\/safe\/velour/)
  await user.click(screen.getByRole('button', { name: 'Back Up Now' }))
  await screen.findByText('Backup in progress: 12 of 1,200 files.')
  expect(requests.map(({ operation }) => operation)).toContain('POST /api/admin-system/backups')
})

const stored = {
  name: '2026-11-21t03-00-00-000z',
  created_at: '2026-11-21T03:00:00.000Z',
  byte_size: 5e9,
  state: 'complete',
  is_encrypted: true,
} as const
const inBucket: SystemStatus['backup'] = { ...noBackup, target: 's3://safe/velour' }

test('lists stored backups with size, state and encryption, and downloads one', async () => {
  const unreadable = { name: 'torn', created_at: null, byte_size: null, state: 'unreadable' }
  const clicked: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    clicked.push(`${this.getAttribute('href')} ${this.download}`)
  })
  const { user, requests } = mountApp(
    '/admin/system',
    {
      'GET /api/admin-system': status({ backup: inBucket }),
      'GET /api/auth/confirmation': { status: true },
      'GET /api/admin-system/backups': {
        data: [stored, { ...unreadable, is_encrypted: false }],
        problem: null,
      },
    },
    admin,
  )
  await screen.findByText(/^In s3:\/\/safe\/velour\./)
  expect(getRows('Backups').slice(1)).toEqual([
    expect.stringMatching(/2026.*5\.0 GBCompleteEncrypted/),
    expect.stringMatching(/^torn–UnreadableNot encrypted$/),
  ])
  await user.click(screen.getByRole('button', { name: /^Download the backup from Nov 2/ }))
  await waitFor(() => expect(clicked).toHaveLength(1))
  expect(clicked[0]).toContain(`/api/admin-system/backups/${stored.name}/file`)
  expect(clicked[0]).toContain(` velour-backup-${stored.name}.tar.age`)
  expect(requests.map(({ operation }) => operation)).toContain('GET /api/auth/confirmation')
})

test('shows why stored backups cannot be listed, and renders no list without a backup destination', async () => {
  const problem = 'BACKUP_TO=/mnt: there is no such folder.'
  mountApp(
    '/admin/system',
    {
      'GET /api/admin-system': status({ backup: inBucket }),
      'GET /api/admin-system/backups': { data: [], problem },
    },
    admin,
  )
  await screen.findByText(problem)
  cleanup()
  mountApp('/admin/system', { 'GET /api/admin-system': status() }, admin)
  await screen.findByText('Not reachable')
  expect(screen.queryByRole('heading', { name: 'Backups' })).toBeNull()
})

test('retries one or all failed jobs, and discards one after a confirmation', async () => {
  const { user, requests } = mountApp(
    '/admin/system',
    {
      'GET /api/admin-system': status(),
      'POST /api/admin-system/failed-jobs/retry': { count: 2 },
    },
    admin,
  )
  const title = 'Process tracks: First Harbour'
  await screen.findByText('[error] out of memory')
  await user.click(screen.getByRole('button', { name: `Retry ${title}` }))
  await user.click(screen.getByRole('button', { name: 'Retry All' }))
  await user.click(screen.getByRole('button', { name: `Discard ${title}` }))
  await user.click(await screen.findByRole('button', { name: 'Discard' }))
  await waitFor(() =>
    expect(useToasts.getState().toasts.map((toast) => toast.title)).toEqual([
      'Job queued again',
      '2 jobs queued again',
      'Job discarded',
    ]),
  )
  const path = '/api/admin-system/failed-jobs'
  expect(requests.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining([
      `POST ${path}/${failed.id}/retry`,
      `POST ${path}/retry`,
      `DELETE ${path}/${failed.id}`,
    ]),
  )
})

const lostFile = {
  storage_key: 'audio/a/high.m4a',
  problem: 'missing',
  kind: 'high',
  track_id: failed.track_id,
  title: 'First Harbour',
  can_repair: true,
} as const

test('lists damaged files with the track of each, and processes all these tracks again', async () => {
  const lostSource = { ...lostFile, storage_key: 'b', kind: 'source', can_repair: false } as const
  const damaged = { total: 2, repairable: 1, missing: 2, wrong_size: 0, wrong_bytes: 0 }
  const last_check = {
    started_at: '2026-11-21T02:00:00Z',
    finished_at: '2026-11-21T03:00:00Z',
    checked_count: 1200,
    orphan_count: 3,
  }
  const files = { last_check, damaged: { ...damaged, data: [lostFile, lostSource] } }
  const { user, requests } = mountApp(
    '/admin/system',
    {
      'GET /api/admin-system': status({ files }),
      'POST /api/admin-system/files/repair': { count: 1 },
    },
    admin,
  )
  await screen.findByText(/^1,200 files checked, .*3 stored files are not used\.$/)
  expect(getRows('Damaged files').slice(1, 3)).toEqual([
    'First HarbourHigh qualityMissingFrom the recording',
    'First HarbourRecordingMissingUpload the recording again',
  ])
  await user.click(screen.getByRole('button', { name: 'Process All Again' }))
  await waitFor(() =>
    expect(useToasts.getState().toasts.map((toast) => toast.title)).toEqual([
      '1 file is being repaired',
    ]),
  )
  expect(requests.map(({ operation }) => operation)).toContain(
    'POST /api/admin-system/files/repair',
  )
})

test('moves the focus to the next job after a job is discarded with the keyboard', async () => {
  const other = { ...failed, id: '0191a0c0-0000-7000-8000-000000000002', track_title: 'Low Tide' }
  const { user, answers } = mountApp(
    '/admin/system',
    {
      'GET /api/admin-system': status({ failed_jobs: { total: 2, data: [failed, other] } }),
      [`DELETE /api/admin-system/failed-jobs/${failed.id}`]: () => {
        answers['GET /api/admin-system'] = status({ failed_jobs: { total: 1, data: [other] } })
        return undefined
      },
    },
    admin,
  )
  const discard = (title: string) => ({ name: `Discard Process tracks: ${title}` })
  ;(await screen.findByRole('button', discard('First Harbour'))).focus()
  await user.keyboard('{Enter}{Tab} ')
  const next = screen.getByRole('button', discard('Low Tide'))
  await waitFor(() => expect(document.activeElement).toBe(next))
})

test('warns on every back-office screen when the disk is almost full', async () => {
  const disk = { host: 'box', folder: '', free_bytes: 1.5e9, total_bytes: 100e9, level: 'low' }
  const genres = { 'GET /api/admin-genres': { data: [] } }
  mountApp('/admin/genres', { ...genres, 'GET /api/admin-system/disk': disk }, admin)
  expect(
    (await screen.findByText('The disk of box is almost full.')).parentElement?.textContent,
  ).toBe(
    'The disk of box is almost full. 1.5 GB of 100 GB are free. Free up space before uploads are rejected. System',
  )
  cleanup()
  const full = { ...disk, level: 'full' }
  mountApp('/admin/genres', { ...genres, 'GET /api/admin-system/disk': full }, admin)
  await screen.findByText('The disk of box is full.')
})

test('shows a retry button when the system state fails to load', async () => {
  const { user, answers } = mountApp(
    '/admin/system',
    { 'GET /api/admin-system': errorAnswer(500, 'internal', 'Something went wrong on our side.') },
    admin,
  )
  await screen.findByText('Failed to load the system status')
  answers['GET /api/admin-system'] = status({ failed_jobs: { total: 0, data: [] } })
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No failed jobs')).toBeTruthy()
})

test('lists alerts, and renders nothing if there are none', async () => {
  const alerts = [
    {
      name: 'disk_low',
      title: 'low disk space',
      message: 'The disk of box is full.\nMake room, or run npm run doctor.',
      began_at: '2026-11-21T08:00:00Z',
    },
  ]
  mountApp('/admin/system', { 'GET /api/admin-system': status({ alerts }) }, admin)
  const section = await screen.findByRole('region', { name: 'Needs attention' })
  expect(within(section).getByRole('listitem').textContent).toMatch(/^Low disk space since .*2026/)
  within(section).getByText('The disk of box is full.')
  expect(within(section).getByText('npm run doctor').tagName).toBe('CODE')
  cleanup()
  mountApp('/admin/system', { 'GET /api/admin-system': status() }, admin)
  await screen.findByText('Not reachable')
  expect(screen.queryByRole('region', { name: 'Needs attention' })).toBeNull()
})
