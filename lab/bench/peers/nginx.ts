// Runs nginx with one worker to compare with. It serves a folder without any checks, which shows how fast this machine
// can stream.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../world/server-process.ts'

export interface Nginx {
  port: number
  pid: number
  stop: () => Promise<void>
}

/** Serves the files below `root`. Returns null if nginx isn't installed. */
export function startNginx(root: string): Promise<Nginx | null> {
  return startSite((port) => `listen 127.0.0.1:${port}; root ${root};`)
}

/** Starts nginx with a server block that contains the directives of `site`. Returns null if nginx isn't installed. */
export async function startSite(site: (port: number) => string): Promise<Nginx | null> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-nginx-'))
  await chmod(folder, 0o711)
  const port = await freePort()
  const config = join(folder, 'nginx.conf')
  await writeFile(config, configuration(folder, site(port)))
  const child = spawn('nginx', ['-c', config, '-p', folder, '-e', join(folder, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: `${process.env['PATH']}:/usr/sbin:/usr/local/sbin` },
  })
  const exit = once(child, 'exit')
  // Ignore this error if nginx isn't installed. The wait for 'spawn' below handles it.
  exit.catch(() => {})
  const stop = async () => {
    child.kill('SIGTERM')
    await exit
    await rm(folder, { recursive: true })
  }
  try {
    await once(child, 'spawn')
  } catch (error) {
    await rm(folder, { recursive: true })
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  const failed = exit.then(() => {
    throw new Error('nginx ended immediately')
  })
  await Promise.race([untilOpen(port), failed])
  failed.catch(() => {})
  return { port, pid: child.pid!, stop }
}

/** Returns the configuration. There is no master process, so that only one process has to be measured. */
const configuration = (folder: string, site: string) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=1000;
  types { audio/mp4 m4a; }
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server { ${site} }
}
`

async function untilOpen(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isOpen) return
    await sleep(20)
  }
}
