// Dead code: files, exports and packages that nothing uses.
import type { KnipConfig } from 'knip'
import client from './packages/client/package.json' with { type: 'json' }
import testing from './packages/testing/package.json' with { type: 'json' }

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        'server/main.ts',
        'composer/main.ts',
        'server/commands/backup-main.ts',
        'server/commands/close-demo-main.ts',
        'server/commands/doctor-main.ts',
        'server/commands/check-files-main.ts',
        'server/commands/export-main.ts',
        'server/commands/make-bucket.ts',
        'server/testing/hold-postgres.ts',
        'scripts/run.mjs',
        'lab/bench/main.ts',
        'lab/bench/clients/slow-listeners.ts',
        'lab/bench/peers/bare-http.ts',
        'lab/bench/peers/bare-ranges.ts',
        'lab/capacity/capacity.ts',
        'lab/capacity/home-shelves.ts',
        'lab/capacity/similar-tracks.ts',
        'lab/capacity/write-scaling-page.mjs',
        'lab/cluster/main.ts',
        'lab/faults/clock-preload.ts',
        'web/index.html',
        'web/app/landing-page.tsx',
        'web/app/landing-start.ts',
        'web/public-pages/*.ts',
        'server/features/site/draw-landing.ts',
        'web/service-worker/service-worker.ts',
        'scripts/*-command.mjs',
        'scripts/check-folders.mjs',
        'scripts/test-counts.mjs',
        '{server,contract,composer,web,e2e,lab,scripts}/**/*.test.{ts,tsx,mjs}',
        '{server,e2e,lab}/**/*.{scale,security,engine,fault,load,client}.ts',
      ],
      project: [
        '{server,contract,composer,web,e2e}/**/*.{ts,tsx}',
        '{lab,scripts}/**/*.{ts,mjs}',
        'vite.*.ts',
      ],
      vitest: true,
    },
  },
  ignoreBinaries: [
    'psql',
    'nginx',
    'mount',
    'umount',
    'firefox-esr',
    'pulseaudio',
    'parec',
    'WebKitWebDriver',
    'Xvfb',
  ],
  ignoreDependencies: [
    // Files of the whole repository use these. scripts/wanted-packages.test.mjs finds unused ones.
    ...Object.keys(testing.dependencies),
    ...Object.keys(client.dependencies),
    '@iconify-json/tabler',
    '@better-fetch/fetch',
    'better-call',
    '@fontsource-variable/fraunces',
    '@fontsource-variable/hanken-grotesk',
  ],
  ignoreExportsUsedInFile: true,
  ignoreIssues: {
    'contract/**': ['types'],
  },
}

export default config
