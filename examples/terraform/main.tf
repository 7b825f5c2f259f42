terraform {
  # `terraform test` needs 1.6.
  required_version = ">= 1.6"
  required_providers {
    crowdstrike = {
      source = "crowdstrike/crowdstrike"
    }
  }
}

# The server and the credentials come from the environment: secplat exec sets FALCON_CLIENT_ID, FALCON_CLIENT_SECRET,
# FALCON_CLOUD and HOST_OVERRIDE.
provider "crowdstrike" {}

variable "blocklist" {
  description = "Domains to detect, each with the reason."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for reason in values(var.blocklist) : reason != ""])
    error_message = "Each domain needs a reason."
  }
}

resource "crowdstrike_host_group" "servers" {
  name            = "Linux servers"
  description     = "Hosts that serve customers"
  type            = "dynamic"
  assignment_rule = "platform_name:'Linux'+product_type_desc:'Server'"
}

resource "crowdstrike_prevention_policy_linux" "servers" {
  name            = "Linux servers"
  description     = "Prevention for hosts that serve customers"
  enabled         = true
  host_groups     = [crowdstrike_host_group.servers.id]
  ioa_rule_groups = []
  cloud_anti_malware = {
    detection  = "AGGRESSIVE"
    prevention = "MODERATE"
  }
  quarantine                  = true
  sensor_tampering_protection = true
}

resource "crowdstrike_custom_ioc" "blocklist" {
  for_each    = var.blocklist
  type        = "domain"
  value       = each.key
  description = each.value
  action      = "detect"
  severity    = "high"
  platforms   = ["linux"]
  host_groups = [crowdstrike_host_group.servers.id]
}

output "blocked" {
  description = "The domains with the ids of their indicators."
  value       = { for domain, indicator in crowdstrike_custom_ioc.blocklist : domain => indicator.id }
}
