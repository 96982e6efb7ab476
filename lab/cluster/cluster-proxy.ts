// nginx with the configuration of compose.scale.yaml. Only ports and upstreams differ.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClusterProcess, createClusterProcess } from './cluster-process.ts'
import { respondsOk } from './responds-ok.ts'

const source = join(import.meta.dirname, '..', '..', 'deploy', 'nginx', 'velour.conf')
// Debian installs nginx in a folder that is only in root's PATH.
const path = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin:/opt/homebrew/bin`

export function createClusterProxy(options: {
  folder: string
  logs: string
  port: number
  upstreams: number[]
  trustsForwardedAddresses: boolean
}): ClusterProcess {
  const { folder, logs, port, upstreams, trustsForwardedAddresses } = options
  mkdirSync(folder, { recursive: true })
  // Let other users enter the folder, because the workers of nginx run as one.
  chmodSync(folder, 0o711)
  const file = join(folder, 'nginx.conf')
  return createClusterProcess({
    name: 'proxy',
    port,
    logFile: join(logs, 'proxy.log'),
    stopSignal: 'SIGQUIT',
    command() {
      const site = configuration(folder, port, upstreams)
      const seen = 'X-Forwarded-For $remote_addr'
      const trusting = 'X-Forwarded-For $proxy_add_x_forwarded_for'
      writeFileSync(file, trustsForwardedAddresses ? site.replace(seen, trusting) : site)
      const args = ['-c', file, '-p', folder, '-e', 'stderr']
      return { program: 'nginx', args, env: { PATH: path } }
    },
    isReady: () => respondsOk(`http://127.0.0.1:${port}/healthz`),
  })
}

function configuration(folder: string, port: number, upstreams: number[]): string {
  const servers = upstreams.map((one) => `server 127.0.0.1:${one}`)
  const site = readFileSync(source, 'utf8')
    .replace(/^ *server web:3000 resolve(.*)$/m, (_, rest) =>
      servers.map((server) => `  ${server}${rest}`).join('\n'),
    )
    .replace(/^ *resolver .*$/m, '')
    .replace(/^ *listen 80;$/m, `  listen 127.0.0.1:${port};`)
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
${site}
}
`
}
