// Routes that list the features that are open to a member and, for admins, list and set the audience of each feature.
import * as adminContract from '#contract/admin/service/admin-features.ts'
import * as contract from '#contract/features.ts'
import type { Route } from '../../platform/http/route.ts'
import { listFeatureSwitches, listMyFeatures, setFeatureSwitch } from './feature-switches.ts'

export function featureSwitchRoutes(route: Route): void {
  route(contract.listMyFeatures, listMyFeatures)
  route(adminContract.listFeatureSwitches, listFeatureSwitches)
  route(adminContract.setFeatureSwitch, setFeatureSwitch)
}
