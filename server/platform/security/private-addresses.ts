// Addresses that requests to a URL typed by a person must not reach: this machine, private networks, cloud metadata.
// Taken from the IANA special-purpose registries.
import { BlockList, isIP } from 'node:net'

const refused = new BlockList()
const ranges4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local addresses. In most clouds they include the metadata service.
  ['169.254.0.0', 16],
  // A public address that only virtual machines in Azure can reach, for services of the host.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
const ranges6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 addresses, which contain an IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
] as const
for (const [net, prefix] of ranges4) refused.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of ranges6) refused.addSubnet(net, prefix, 'ipv6')

/** All other IPv6 addresses are local, mapped, translated or unassigned. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address is on the public internet. False for anything that is not an IP address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !refused.check(address, 'ipv4')
  return family === 6 && globalUnicast.check(address, 'ipv6') && !refused.check(address, 'ipv6')
}
