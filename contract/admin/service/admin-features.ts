// Switches of new features in the back office.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { featureAudiences, featureNames } from '../../features.ts'

export const featureSwitch = z.object({
  name: z.enum(featureNames).check(z.describe('The name of the feature.')),
  audience: z
    .enum(featureAudiences)
    .check(z.describe('For whom it is open: nobody, yearly members, all with Premium, everyone.')),
})
export type FeatureSwitch = z.infer<typeof featureSwitch>

export const listFeatureSwitches = endpoint({
  method: 'GET',
  path: '/api/admin-features',
  summary: 'The features that can be opened to some members first, and for whom each is open.',
  access: 'admin',
  output: z.object({ data: z.array(featureSwitch) }),
})

export const setFeatureSwitch = endpoint({
  method: 'PUT',
  path: '/api/admin-features/:feature',
  summary: 'Open a feature to these members. In effect at once.',
  access: 'admin',
  audit: { settings: ['update'] },
  params: z.object({ feature: z.enum(featureNames).check(z.describe('The name of the feature.')) }),
  body: z.pick(featureSwitch, { audience: true }),
  output: featureSwitch,
})
