// A message and its answers, in order.
import type { SupportMessage } from '#contract/support.ts'
import { formatMinute } from '../../base/format/format-day.ts'
import { useSite } from '../../base/session/site.ts'
import styles from './support.module.css'

export interface ThreadViewProps<Message extends SupportMessage> {
  messages: readonly Message[]
  /** Returns the name of a message's sender. If null, the name of the service is shown. */
  nameOf: (message: Message) => string | null
}

export function ThreadView<Message extends SupportMessage>(props: ThreadViewProps<Message>) {
  const { messages, nameOf } = props
  const { brand_name } = useSite()
  return (
    <ol className={styles.messages}>
      {messages.map((message) => (
        <li
          key={message.id}
          className={styles.message}
          data-answer={message.is_answer || undefined}
        >
          <p className={styles.head}>
            <bdi>{nameOf(message) ?? brand_name}</bdi>
            {' · '}
            <time dateTime={message.created_at}>{formatMinute(message.created_at)}</time>
          </p>
          <p className={styles.body} dir="auto">
            {message.text}
          </p>
        </li>
      ))}
    </ol>
  )
}
