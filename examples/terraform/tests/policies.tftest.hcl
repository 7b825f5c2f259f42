run "creates_the_group_with_its_policy" {
  assert {
    condition     = crowdstrike_prevention_policy_linux.servers.host_groups == toset([crowdstrike_host_group.servers.id])
    error_message = "The policy must apply to the group."
  }
  assert {
    condition     = output.blocked == {}
    error_message = "No domain is blocked by default."
  }
}

run "blocks_domains" {
  variables {
    blocklist = { "a.example" = "Phishing", "b.example" = "Malware" }
  }
  assert {
    condition     = join(" ", keys(output.blocked)) == "a.example b.example"
    error_message = "Each domain has an indicator."
  }
}

run "unblocks_a_domain" {
  variables {
    blocklist = { "b.example" = "Malware" }
  }
  assert {
    condition     = output.blocked == { "b.example" = run.blocks_domains.blocked["b.example"] }
    error_message = "The indicator of the other domain stays."
  }
}

run "refuses_a_domain_without_reason" {
  command = plan
  variables {
    blocklist = { "c.example" = "" }
  }
  expect_failures = [var.blocklist]
}

