// Feature flags in the back office.
import * as z from 'zod/mini'
import { endpoint } from '../../endpoint.ts'
import { featureAudiences, featureNames } from '../../features.ts'

export const featureSwitch = z.object({
  name: z.enum(featureNames).check(z.describe('The name of the feature.')),
  audience: z
    .enum(featureAudiences)
    .check(
      z.describe('Who can use it: nobody, yearly members, everyone with Premium, or everyone.'),
    ),
})
export type FeatureSwitch = z.infer<typeof featureSwitch>

export const listFeatureSwitches = endpoint({
  method: 'GET',
  path: '/api/admin-features',
  summary: 'The features that can be opened to some members first, and who can use each of them.',
  access: 'admin',
  output: z.object({ data: z.array(featureSwitch) }),
})

export const setFeatureSwitch = endpoint({
  method: 'PUT',
  path: '/api/admin-features/:feature',
  summary: 'Set who can use a feature. Takes effect immediately.',
  access: 'admin',
  audit: { settings: ['update'] },
  params: z.object({ feature: z.enum(featureNames).check(z.describe('The name of the feature.')) }),
  body: z.pick(featureSwitch, { audience: true }),
  output: featureSwitch,
})
