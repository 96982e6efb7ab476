// Shows a new device key. It is shown only once: as text, as a QR code, and with the values to type in common apps.
import type { createDeviceKey } from '#contract/device-keys.ts'
import type { Output } from '#contract/endpoint.ts'
import { QrCode } from '../../base/ui/display/qr-code.tsx'
import { CopiedFact } from './copied-fact.tsx'
import styles from './keys.module.css'
import layout from '../../base/ui/layout/layout.module.css'

const apps = [
  [
    'Symfonium',
    'Add a media provider, (Open)Subsonic. Or choose “Use an API key” and leave out the user name.',
  ],
  ['Feishin', 'Add server, type OpenSubsonic.'],
  ['Amperfy', 'Server address, user name and password; API type: automatic.'],
  ['Substreamer', 'Server address, user name and password.'],
  ['Supersonic', 'Add server, type Subsonic.'],
  ['Tempus', 'Add server; “low security” is not needed.'],
] as const

export function NewDeviceKey({ made }: { made: Output<typeof createDeviceKey>['data'] }) {
  const { key, server_url, username, feed_url } = made
  if (feed_url) return <NewFeed url={feed_url} />
  return (
    <div className={layout.stack5}>
      <div className={styles.top}>
        <div className={styles.qr}>
          <QrCode text={key} label="QR code of the key" />
        </div>
        <dl className={styles.facts}>
          <CopiedFact name="Server address" value={server_url} />
          <CopiedFact name="User name" value={username} />
          <CopiedFact name="Password" value={key} />
        </dl>
      </div>
      <p className={styles.hint}>
        Use the key as the password. It is shown only once. Apps never need your account password.
      </p>
      <table className={styles.apps}>
        <thead>
          <tr>
            <th scope="col">App</th>
            <th scope="col">What to enter</th>
          </tr>
        </thead>
        <tbody>
          {apps.map(([name, text]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{text}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function NewFeed({ url }: { url: string }) {
  return (
    <div className={styles.shown}>
      <div className={styles.top}>
        <div className={styles.qr}>
          <QrCode text={url} label="QR code of the feed" />
        </div>
        <dl className={styles.facts}>
          <CopiedFact name="Feed address" value={url} />
        </dl>
      </div>
      <p className={styles.hint}>
        Add it in a podcast app by its address. It is shown only once. Anyone who has it can listen
        to what you can, so keep it to yourself. Revoke it here when you no longer need it.
      </p>
    </div>
  )
}
