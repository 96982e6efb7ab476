// The demo accounts. Their password is public, so a publicly reachable service does not start while an account uses
// it.
export const demoPassword = 'velour-demo'

export const demoAccounts = [
  {
    email: 'admin@velour.test',
    label: 'Admin',
    display_name: 'Ada Velour',
    role: 'admin',
    tier: 'lifetime',
  },
  {
    email: 'premium@velour.test',
    label: 'Premium',
    display_name: 'Pia Premium',
    role: 'member',
    tier: 'monthly',
  },
  {
    email: 'free@velour.test',
    label: 'Free',
    display_name: 'Finn Free',
    role: 'member',
    tier: 'free',
  },
] as const
