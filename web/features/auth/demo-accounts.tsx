// Buttons that sign in to the demo accounts, shown in demo mode.
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import styles from './demo-accounts.module.css'
import { useSignIn } from './use-sign-in.ts'

export function DemoAccounts({ onSecondFactor }: { onSecondFactor: () => void }) {
  const { demo } = useSite()
  const signingIn = useSignIn(onSecondFactor)
  if (!demo) return null
  return (
    <section className={styles.demo} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts" className={styles.heading}>
        Look around with a demo account
      </h2>
      <ul className={styles.accounts}>
        {demo.accounts.map(({ email, label }) => (
          <li key={email}>
            <Button
              size="small"
              wide
              busy={signingIn.isPending && signingIn.variables.email === email}
              onClick={() => signingIn.mutate({ email, password: demo.password })}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
