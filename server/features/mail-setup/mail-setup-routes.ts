// Admin routes for sending email.
import * as contract from '#contract/admin/service/admin-mail.ts'
import * as wordsContract from '#contract/admin/service/admin-mail-words.ts'
import type { Route } from '../../platform/http/route.ts'
import { checkMailDomain, type MailDomainServices } from './check-mail-domain.ts'
import {
  getMailSettings,
  updateMailSettings,
  type MailSettingsServices,
} from './mail-settings-operations.ts'
import {
  getMailState,
  retryMails,
  sendTestMail,
  type MailStateServices,
} from './mail-state-operations.ts'

import {
  listMailWords,
  previewMailWords,
  setMailWords,
  testMailWords,
  type MailWordsServices,
} from './mail-texts-operations.ts'

export function mailSetupRoutes(
  route: Route,
  services: MailSettingsServices & MailStateServices & MailDomainServices & MailWordsServices,
): void {
  route(contract.getMailSettings, (ctx) => getMailSettings(services, ctx))
  route(contract.updateMailSettings, (ctx, input) => updateMailSettings(services, ctx, input))
  route(contract.getMailState, getMailState)
  route(contract.retryMails, (ctx) => retryMails(services, ctx))
  route(contract.sendTestMail, (ctx) => sendTestMail(services, ctx))
  route(contract.checkMailDomain, (ctx) => checkMailDomain(services, ctx))
  route(wordsContract.listMailWords, (ctx) => listMailWords(services, ctx))
  route(wordsContract.setMailWords, (ctx, input) => setMailWords(services, ctx, input))
  route(wordsContract.previewMailWords, (ctx, input) => previewMailWords(services, ctx, input))
  route(wordsContract.testMailWords, (ctx, input) => testMailWords(services, ctx, input))
}
