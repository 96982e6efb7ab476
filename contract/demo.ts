// The accounts of the demo. Their password is public, so a service that strangers reach does not start while
// it opens an account.
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
